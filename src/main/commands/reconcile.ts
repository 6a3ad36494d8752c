import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { RoundStarted } from '../../api/schemas/reconcile.ts';
import { RoundDetail } from '../../api/schemas/round.ts';
import type { CatalogName } from '../../contract/names.ts';
import { type ApiClient, ApiRefusal } from '../api-client.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Progress, openProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { showRound } from './round-outcome.ts';
import { type ApiOptions, type Session, inSession } from './session.ts';

export interface ReconcileOptions extends ApiOptions {
  readonly dryRun?: boolean;
  /** Wait until the round has ended, however long that takes. */
  readonly wait?: boolean;
}

/** As long as the API itself would wait for the answer. */
const patienceMs = 30_000;
/** Small catalogs are done in a moment … */
const firstLookMs = 50;
/** … and large ones are looked at seldom enough that the ledger does not notice. */
const lookEveryMs = 500;

/**
 * `reconcile CATALOG`: starts a round (or a dry scan), or joins the one that runs, shows how far it is, and tells what
 * it found. A round that outlasts the wait goes on by itself.
 */
export function runReconcile(catalog: string, options: ReconcileOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async (session) => {
    const { api, json, suggest } = session;
    const name = await resolveCatalog(api, catalog);
    const started = await start(api, name, options.dryRun === true);
    if (started.joined) terminal.tell('A round runs already; this is its progress.');
    const progress = openProgress(terminal);
    const round = await untilEnded(session, started.round, progress, options.wait === true ? Infinity : patienceMs);
    progress.end();
    if (round === undefined || round.state === 'running') {
      if (json) terminal.json(round ?? started);
      terminal.tell(
        round === undefined
          ? 'No worker has begun it yet. It stays queued; see that a worker runs (`npm start`, or `worker`).'
          : 'It goes on by itself.',
      );
      terminal.tell(`How far it is: ${suggest('rounds', catalogKey(name))}`);
      return exitCodes.ok;
    }
    return showRound(session, name, started, round);
  });
}

/** Asks not to wait, which is always answered with the address of the round. */
async function start(api: ApiClient, name: CatalogName, dryRun: boolean): Promise<RoundStarted> {
  const address = `${catalogAddress(name)}/reconcile`;
  const { body } = await api.post(address, RoundStarted, { body: { dryRun }, headers: { prefer: 'wait=0' } });
  return body;
}

/** The round as it stands when it has ended or the patience is over; `undefined` where nobody has begun it. */
async function untilEnded(
  { api, rest }: Session,
  address: string,
  progress: Progress,
  patience: number,
): Promise<RoundDetail | undefined> {
  let pauseMs = firstLookMs;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const round = await look(api, address);
    if (round === undefined) progress.step('waiting for a worker', 0, 0);
    else if (round.state !== 'running') return round;
    else step(progress, round);
    if (waitedMs >= patience) return round;
    await rest(pauseMs);
    pauseMs = Math.min(lookEveryMs, pauseMs * 2);
  }
}

/** A round is on record once a worker has opened it; before that its address is not known yet. */
async function look(api: ApiClient, address: string): Promise<RoundDetail | undefined> {
  try {
    return await api.get(address, RoundDetail);
  } catch (error) {
    if (error instanceof ApiRefusal && error.problem.type.endsWith('/no-such-round')) return undefined;
    throw error;
  }
}

function step(progress: Progress, { live }: RoundDetail): void {
  if (live === undefined) return;
  progress.step(live.phase, live.totals.probed, live.totals.eligible);
}

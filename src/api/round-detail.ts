import type { CatalogName } from '../contract/names.ts';
import type { RoundReport } from '../contract/round-messages.ts';
import type { RoundRecord } from '../ledger/ledger.ts';
import type { ApiDeps } from './deps.ts';
import { GatewayUnavailable } from './gateway.ts';
import { type RoundParams, noSuchRound, roundOnRecord } from './round-lookup.ts';
import type { RoundDetail } from './schemas/round.ts';
import { liveView, roundView } from './views/round-view.ts';

/** One round: what is on record and, while it runs, what its workflow says. Throws problem `no-such-round`. */
export async function roundDetail(deps: ApiDeps, params: RoundParams): Promise<RoundDetail> {
  const round = await roundOnRecord(deps, params);
  return round === undefined ? unrecorded(deps, params) : recorded(deps, params, round);
}

async function recorded(deps: ApiDeps, name: CatalogName, round: RoundRecord): Promise<RoundDetail> {
  const { id, dry, state } = round;
  const record = roundView(round);
  if (state !== 'running') return { id, dry, state, from: 'ledger', record };
  const report = await live(deps, name, dry);
  if (report?.roundId === id) return { id, dry, state, from: 'ledger+live', record, live: liveView(report) };
  return { id, dry, state, from: 'ledger', record, liveMissing: 'no worker answers for it at the moment' };
}

/** Between its start and its first activity a round is known to its workflow alone. */
async function unrecorded(deps: ApiDeps, params: RoundParams): Promise<RoundDetail> {
  for (const dry of [false, true]) {
    const report = await live(deps, params, dry);
    if (report?.roundId === params.roundId) {
      return { id: report.roundId, dry, state: report.end ?? 'running', from: 'live', live: liveView(report) };
    }
  }
  throw noSuchRound(params);
}

async function live({ gateway }: ApiDeps, name: CatalogName, dry: boolean): Promise<RoundReport | undefined> {
  try {
    return await gateway.liveReport(name, { dry });
  } catch (error) {
    if (error instanceof GatewayUnavailable) return undefined;
    throw error;
  }
}

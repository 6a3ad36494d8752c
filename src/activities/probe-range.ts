import type { CatalogName } from '../contract/names.ts';
import { maxSamples, type StaleSample } from '../contract/round-messages.ts';
import { knownControls } from '../domain/controls.ts';
import { verdictOf } from '../domain/identity.ts';
import { maxLanes, type RowRange } from '../domain/lanes.ts';
import { pathText } from '../domain/path.ts';
import type { ProbeTarget, Verdict } from '../domain/verdict.ts';
import type { TargetRow, VerdictRow } from '../ledger/ledger.ts';
import { cancellation, stopIfCancelled } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { probeBatch } from './probe-batch.ts';

export interface ProbeRangeInput extends CatalogName, RowRange {
  readonly roundId: string;
  readonly fingerprint: string;
  readonly principal: string;
  /** Lanes that share the source, this one included. */
  readonly lanes: number;
  /** After this long the activity hands back its cursor. */
  readonly budgetMs: number;
  /** Samples that the round still has room for. */
  readonly samples: number;
}

export interface ProbeRangeAnswer {
  /** The first row that was not asked about; equal to `to` when the range is done. */
  readonly cursor: number;
  readonly probed: number;
  readonly verdicts: Readonly<Partial<Record<Verdict['kind'], number>>>;
  readonly samples: readonly StaleSample[];
}

/** Rows that are read, asked about and written together. */
const pageRows = 2_000;

/** Asks the source about the rows of a range, until it is done or the budget is spent. */
export async function probeRange(deps: ActivityDeps, input: ProbeRangeInput): Promise<ProbeRangeAnswer> {
  const key = pathText([input.metalake, input.catalog]);
  const started = performance.now();
  const { source, probesInFlight } = await deps.sourceOf(input, cancellation());
  const known = await deps.ledger.rounds.knownObjects(key, knownControls);
  const { batchSize } = source.traits;
  // A source that takes many questions a call is kept busy by one call a lane; the others share the bound.
  const inFlight = batchSize > 1 ? 1 : Math.max(1, Math.floor(probesInFlight / Math.min(input.lanes, maxLanes)));
  const verdicts: Partial<Record<Verdict['kind'], number>> = {};
  const samples: StaleSample[] = [];
  let cursor = input.from;
  let probed = 0;
  const limit = rowsAtOnce(batchSize);
  const read = (from: number): Promise<readonly TargetRow[]> => {
    const reading =
      from < input.to
        ? deps.ledger.rounds.targets(input.roundId, key, { from, to: input.to }, limit)
        : Promise.resolve([]);
    reading.catch(() => undefined); // reported by the await below, if it comes to that
    return reading;
  };
  let reading = read(cursor);
  let writing: Promise<void> = Promise.resolve();
  while (cursor < input.to && (cursor === input.from || performance.now() - started < input.budgetMs)) {
    const targets = await reading;
    const last = targets.at(-1);
    const behind = last === undefined || targets.length < limit ? input.to : last.row + 1;
    // The source is never kept waiting for the ledger: the next page is read, and the last one written, while it answers.
    reading = read(behind);
    const rows = await ask(deps, source, input, targets, known, { batchSize, inFlight });
    await writing;
    writing = deps.ledger.rounds.recordVerdicts(input.roundId, rows);
    writing.catch(() => undefined); // reported by the await above or below
    for (const [index, { verdict }] of rows.entries()) {
      verdicts[verdict.kind] = (verdicts[verdict.kind] ?? 0) + 1;
      const target = targets[index];
      if (verdict.kind === 'absent' && target !== undefined && samples.length < Math.min(input.samples, maxSamples)) {
        samples.push({ path: pathText(target.path), kind: target.kind, code: verdict.code });
      }
    }
    probed += rows.length;
    cursor = behind;
    stopIfCancelled();
  }
  await writing;
  return { cursor, probed, verdicts, samples };
}

/**
 * One page for a source that takes hundreds of questions a call; for one asked object by object, even if behind its door,
 * few enough that a budget of seconds is kept.
 */
function rowsAtOnce(batchSize: number): number {
  return batchSize >= 500 ? Math.max(batchSize, pageRows) : 200;
}

async function ask(
  deps: ActivityDeps,
  source: Parameters<typeof probeBatch>[0],
  input: ProbeRangeInput,
  targets: readonly TargetRow[],
  known: readonly ProbeTarget[],
  { batchSize, inFlight }: { readonly batchSize: number; readonly inFlight: number },
): Promise<readonly VerdictRow[]> {
  const signal = cancellation();
  const rows: VerdictRow[] = Array.from({ length: targets.length });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let from = next; from < targets.length; from = next) {
      next = from + batchSize;
      const batch = targets.slice(from, next);
      const answers = await probeBatch(
        source,
        { name: input, targets: batch, known, fingerprint: input.fingerprint, principal: input.principal },
        signal,
      );
      const probedAt = deps.clock();
      for (const [offset, { answer, evidence }] of answers.entries()) {
        const target = batch[offset];
        if (target === undefined) continue;
        const verdict = verdictOf(target.kind, answer, target.remembered);
        const { row, remembered } = target;
        rows[from + offset] = { row, verdict, evidence, probedAt, ...(remembered === undefined ? {} : { remembered }) };
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return rows;
}

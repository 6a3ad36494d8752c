import type { CatalogName } from '../contract/names.ts';
import type { RoundTotals } from '../contract/round-messages.ts';
import type { HoldReason, RoundTally } from '../domain/guard.ts';
import { pathText } from '../domain/path.ts';
import type { RetentionLedger } from '../ledger/ledger.ts';
import type { RoundCounts, RoundReason } from '../ledger/records.ts';
import { stopIfCancelled } from './context.ts';
import type { CheckAnswer } from './check-catalog.ts';
import type { ActivityDeps } from './deps.ts';

export interface PublishInput extends CatalogName {
  readonly roundId: string;
  readonly now: number;
  readonly hold: readonly HoldReason[];
  readonly guard?: RoundTally;
  readonly check: CheckAnswer;
}

export interface EndAnswer {
  readonly totals: RoundTotals;
  readonly open: number;
  readonly due: number;
}

/** Makes the round the one that readers and removals go by. */
export async function publishRound(deps: ActivityDeps, input: PublishInput): Promise<EndAnswer> {
  const { epoch, fingerprint, principal } = input.check;
  const { roundId: id, now, hold, guard } = input;
  const told = guard === undefined ? {} : { guard };
  return answer(await deps.ledger.rounds.publish({ id, now, hold, ...told, epoch, fingerprint, principal }));
}

export interface EndInput extends CatalogName {
  readonly roundId: string;
  readonly now: number;
  readonly state: 'scanned' | 'unreachable' | 'incomplete' | 'failed' | 'source-changed' | 'cancelled';
  readonly reason?: RoundReason;
}

/** Ends a round that publishes nothing. */
export async function endRound(deps: ActivityDeps, input: EndInput): Promise<EndAnswer> {
  const { roundId: id, state, reason, now } = input;
  await deps.ledger.rounds.end({ id, state, now, ...(reason === undefined ? {} : { reason }) });
  return answer(await deps.ledger.rounds.counts(id));
}

type Mark = NonNullable<Parameters<RetentionLedger['purge']>[0]['after']>;

/** Rows deleted in one statement. */
const tidyRows = 20_000;

/** Deletes the rows of rounds that nobody reads any more, and what the policy keeps no longer. */
export async function tidyCatalog(deps: ActivityDeps, input: CatalogName): Promise<void> {
  const key = pathText([input.metalake, input.catalog]);
  while ((await deps.ledger.rounds.tidy(key, tidyRows)).more) {
    stopIfCancelled();
  }
  const now = deps.clock();
  for (let after: Mark | undefined; ; ) {
    const limited = { catalog: key, now, limit: tidyRows, ...(after === undefined ? {} : { after }) };
    after = (await deps.ledger.retention.purge(limited)).next;
    if (after === undefined) return;
    stopIfCancelled();
  }
}

function answer({ registrations, eligible, verdicts, open, due }: RoundCounts): EndAnswer {
  const probed = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return { totals: { registrations, eligible, probed, verdicts }, open, due };
}

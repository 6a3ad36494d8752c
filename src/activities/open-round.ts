import { reviewWorkflowId } from '../contract/names.ts';
import type { RoundInput } from '../contract/round-messages.ts';
import { pathText } from '../domain/path.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import type { OpenedRound } from '../ledger/ledger.ts';
import type { ActivityDeps } from './deps.ts';
import { cancellation } from './context.ts';

export interface OpenRoundInput extends RoundInput {
  readonly roundId: string;
  readonly workflowId: string;
  readonly now: number;
}

/** What the workflow needs to know of an opened round; the rest stays in the ledger. */
export interface OpenRoundAnswer extends Pick<OpenedRound, 'seq' | 'afterComplete' | 'intervalMs'> {
  readonly reviewId: string;
}

/** Opens the round in the ledger, after making sure that there is such a catalog. */
export async function openRound(deps: ActivityDeps, input: OpenRoundInput): Promise<OpenRoundAnswer> {
  const registry = deps.registryOf(input.metalake);
  const catalog = await registry.catalog(input.catalog, cancellation());
  if (catalog === undefined) {
    throw new ReconcilerFailure(
      'InvalidRequest',
      'no-such-catalog',
      `Metalake ${input.metalake} has no catalog ${input.catalog}. See which there are with: catalog-reconciler catalogs`,
    );
  }
  await deps.ledger.catalogs.ensure(input.metalake, input.catalog, input.now);
  const opened = await deps.ledger.rounds.open(openInput(input));
  const { seq, afterComplete, intervalMs } = opened;
  return { seq, afterComplete, intervalMs, reviewId: reviewWorkflowId(input) };
}

/** The same for every activity of a round: opening again reads back what was opened. */
export function openInput(input: OpenRoundInput) {
  return {
    id: input.roundId,
    catalog: pathText([input.metalake, input.catalog]),
    dry: input.dry,
    trigger: input.trigger,
    requestedBy: input.requestedBy,
    workflowId: input.workflowId,
    now: input.now,
    nominalAt: input.nominalAt ?? input.now,
    ...(input.intervalMs === undefined ? {} : { intervalMs: input.intervalMs }),
  };
}

import type { CatalogName } from '../contract/names.ts';
import { pathText } from '../domain/path.ts';
import type { RemovalOutcome } from '../domain/removal.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { removeTimeoutMs } from './remove-registration.ts';

export type SettleIntentAnswer =
  /** A request that was sent may still run at the registry; ask again after this many milliseconds. */
  | { readonly answer: 'wait'; readonly waitMs: number }
  | { readonly answer: 'settled'; readonly outcome: RemovalOutcome; readonly reason: string; readonly path: string }
  | { readonly answer: 'none' };

/**
 * Finds out what became of a removal whose outcome nobody knows, by looking at the registry. Only after the last moment
 * at which it could have been sent, and the longest that it can have taken.
 */
export async function settleIntent(deps: ActivityDeps, input: CatalogName): Promise<SettleIntentAnswer> {
  const signal = cancellation();
  const registry = deps.registryOf(input.metalake);
  const intent = await deps.ledger.removals.openIntentOf(pathText([input.metalake, input.catalog]));
  if (intent === undefined) return { answer: 'none' };
  const waitMs = intent.actBefore + removeTimeoutMs - deps.clock();
  if (waitMs > 0) return { answer: 'wait', waitMs };
  const trace = await registry.outcomeOf(input.catalog, intent.id, signal);
  const registration = await registry.registration(input.catalog, intent.entity, signal);
  const { outcome, reason } = judge(trace, registration !== undefined);
  await deps.ledger.removals.settle({
    intent: intent.id,
    outcome,
    reason,
    entities:
      outcome === 'removed' ? 1 + (await deps.ledger.removals.judgedInside(intent.catalog, intent.path)).length : 0,
    now: deps.clock(),
  });
  return { answer: 'settled', outcome, reason, path: pathText(intent.path) };
}

function judge(
  trace: 'removed' | 'no-trace',
  registered: boolean,
): { readonly outcome: RemovalOutcome; readonly reason: string } {
  if (trace === 'removed') return { outcome: 'removed', reason: 'the registry’s tombstone carries this intent' };
  if (!registered) return { outcome: 'already-gone', reason: 'no longer registered, and not by this intent' };
  return { outcome: 'abandoned', reason: 'still registered, and the request left no trace' };
}

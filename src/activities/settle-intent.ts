import type { CatalogName } from '../contract/names.ts';
import { pathText } from '../domain/path.ts';
import type { Registration } from '../domain/registration.ts';
import type { RemovalOutcome } from '../domain/removal.ts';
import type { Intent } from '../ledger/ledger.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { requestTimeoutMs } from './carry-out-intent.ts';

export type SettleIntentAnswer =
  /** A request that was sent may still run at the registry; ask again after this many milliseconds. */
  | { readonly answer: 'wait'; readonly waitMs: number }
  | { readonly answer: 'settled'; readonly outcome: RemovalOutcome; readonly reason: string; readonly path: string }
  | { readonly answer: 'none' };

/**
 * Finds out what became of a request whose outcome nobody knows, by looking at the registry. Only after the last moment
 * at which it could have been sent, and the longest that it can have taken.
 */
export async function settleIntent(deps: ActivityDeps, input: CatalogName): Promise<SettleIntentAnswer> {
  const signal = cancellation();
  const registry = deps.registryOf(input.metalake);
  const intent = await deps.ledger.removals.openIntentOf(pathText([input.metalake, input.catalog]));
  if (intent === undefined) return { answer: 'none' };
  const waitMs = intent.actBefore + requestTimeoutMs - deps.clock();
  if (waitMs > 0) return { answer: 'wait', waitMs };
  const registration = await registry.registration(input.catalog, intent.entity, signal);
  const { outcome, reason } =
    intent.action === 'repoint'
      ? judgeRepoint(intent, registration)
      : judgeRemoval(await registry.outcomeOf(input.catalog, intent.id, signal), registration !== undefined);
  await deps.ledger.removals.settle({
    intent: intent.id,
    outcome,
    reason,
    entities: isDone(outcome) ? 1 + (await deps.ledger.removals.judgedInside(intent.catalog, intent.path)).length : 0,
    now: deps.clock(),
  });
  return { answer: 'settled', outcome, reason, path: pathText(intent.path) };
}

/** Whether something was done, to the registration and to all that was inside it. */
function isDone(outcome: RemovalOutcome): boolean {
  return outcome === 'removed' || outcome === 'repointed';
}

interface Judged {
  readonly outcome: RemovalOutcome;
  readonly reason: string;
}

/** Its name tells, whoever gave it: what was wished for is so, or it is not. */
function judgeRepoint({ path, movedTo }: Intent, registration: Registration | undefined): Judged {
  if (registration === undefined) return { outcome: 'already-gone', reason: 'no longer registered' };
  const name = pathText(registration.path);
  if (movedTo !== undefined && name === pathText(movedTo)) {
    return { outcome: 'repointed', reason: `registered as ${name}` };
  }
  if (name === pathText(path)) return { outcome: 'abandoned', reason: 'still registered under its old name' };
  return { outcome: 'changed', reason: `registered as ${name}, and not by this intent` };
}

function judgeRemoval(trace: 'removed' | 'no-trace', registered: boolean): Judged {
  if (trace === 'removed') return { outcome: 'removed', reason: 'the registry’s tombstone carries this intent' };
  if (!registered) return { outcome: 'already-gone', reason: 'no longer registered, and not by this intent' };
  return { outcome: 'abandoned', reason: 'still registered, and the request left no trace' };
}

import type { CatalogName } from '../contract/names.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import type { IntentAction, RemovalOutcome } from '../domain/removal.ts';
import type { FindingRecord, Intent } from '../ledger/ledger.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';

export interface IntentInput extends CatalogName {
  readonly finding: string;
  /** Chosen by the workflow, so that a repeated call is recognised. */
  readonly intentId: string;
}

export interface IntentOutcome {
  readonly outcome: RemovalOutcome;
  readonly reason: string;
}

/** How an intent ended, and how many registrations were touched. */
export interface Settlement extends IntentOutcome {
  readonly entities: number;
}

/** What the last look says: go on with what it saw, or end here. */
export type LastLook<Seen> =
  | { readonly answer: 'gone-on'; readonly seen: Seen }
  | { readonly answer: 'stop'; readonly outcome: RemovalOutcome; readonly reason: string };

export const goOn = <Seen>(seen: Seen): LastLook<Seen> => ({ answer: 'gone-on', seen });
export const stop = (outcome: RemovalOutcome, reason: string): LastLook<never> => ({ answer: 'stop', outcome, reason });

/** Time from the intent to the last moment at which the request may be sent. Looking again takes seconds at most. */
const actWithinMs = 30_000;

/** How long a registry may take over one request; nothing is settled before it is over. */
export const requestTimeoutMs = 15_000;

/** What one kind of intent does between its opening and its outcome. */
export interface Steps<Seen> {
  /** Whether the world is still as it was judged. Nothing is sent by then, so it may throw. */
  readonly look: (intent: Intent, finding: FindingRecord) => Promise<LastLook<Seen>>;
  /** Sends the request, and reads back what became of it. */
  readonly act: (intent: Intent, seen: Seen) => Promise<Settlement>;
}

/**
 * Intent → look again → act → read back → outcome. Called once: any failure after the request was sent means that the
 * outcome is unknown, and the open intent says so until somebody has looked.
 */
export async function carryOut<Seen>(
  deps: ActivityDeps,
  input: IntentInput,
  action: IntentAction,
  { look, act }: Steps<Seen>,
): Promise<IntentOutcome> {
  const now = deps.clock();
  const opened = await deps.ledger.removals.openIntent({
    id: input.intentId,
    catalog: pathText([input.metalake, input.catalog]),
    action,
    finding: input.finding,
    now,
    actBefore: now + actWithinMs,
    exclusive: deps.registryOf(input.metalake).capabilities.exclusive,
  });
  if (opened.answer === 'barred') return { outcome: 'not-permitted', reason: opened.bar };
  const { intent, finding } = opened;

  let looked: LastLook<Seen>;
  try {
    looked = await look(intent, finding);
  } catch (error) {
    // Nothing was sent. Where the source or the registry could not be asked, the catalog waits for a round that can.
    const reason = error instanceof Error ? error.message : 'the last look failed';
    return settle(deps, intent, { outcome: isOurs(error) ? 'abandoned' : 'source-unreachable', reason, entities: 0 });
  }
  if (looked.answer === 'stop') return settle(deps, intent, { ...looked, entities: 0 });
  if (deps.clock() > intent.actBefore) {
    return settle(deps, intent, { outcome: 'abandoned', reason: 'looking again took too long', entities: 0 });
  }
  // From here on the answer may be lost; whatever is thrown leaves the intent open.
  return settle(deps, intent, await act(intent, looked.seen));
}

/** A worker that shuts down, a review that was cancelled, a ledger that blinked: none of it speaks of the source. */
function isOurs(error: unknown): boolean {
  return cancellation().aborted || (error instanceof ReconcilerFailure && error.type === 'LedgerUnavailable');
}

async function settle(
  deps: ActivityDeps,
  intent: Intent,
  { outcome, reason, entities }: Settlement,
): Promise<IntentOutcome> {
  await deps.ledger.removals.settle({ intent: intent.id, outcome, reason, entities, now: deps.clock() });
  return { outcome, reason };
}

import { Context } from '@temporalio/activity';

/** Aborts when the activity is cancelled or its worker shuts down; given to everything that reads. */
export function cancellation(): AbortSignal {
  return Context.current().cancellationSignal;
}

/** Tells Temporal that the activity lives; progress itself belongs in the ledger. */
export function beat(detail?: unknown): void {
  Context.current().heartbeat(detail);
}

/** Throws when the activity was cancelled; for loops between two awaited steps. */
export function stopIfCancelled(): void {
  Context.current().cancellationSignal.throwIfAborted();
}

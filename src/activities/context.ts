import { Context } from '@temporalio/activity';

/** Aborts when the activity is cancelled or its worker shuts down; given to everything that reads. */
export function cancellation(): AbortSignal {
  return Context.current().cancellationSignal;
}

/** The worker passes on one every 10 s at most; more of them cost nothing. */
const beatEveryMs = 5_000;

/**
 * Tells Temporal that this process lives, for as long as the work takes, and so hears of a cancellation. A beat says
 * nothing of progress: that is in the ledger, and every question to a source, a registry or a database has a time-out.
 */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beats = setInterval(() => context.heartbeat(), beatEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(beats);
  }
}

/** Throws when the activity was cancelled; for loops between two awaited steps. */
export function stopIfCancelled(): void {
  Context.current().cancellationSignal.throwIfAborted();
}

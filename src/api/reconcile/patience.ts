import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** What the review does takes a second or two; looking four times a second costs a small query or two each. */
export const lookEveryMs = 250;

/** How long one request may still wait, and what ends the wait before: a client that left, a process that ends. */
export interface Patience {
  readonly leftMs: () => number;
  readonly over: AbortSignal;
}

/** Counts on the monotonic clock: a wall clock that leaps must not lengthen anybody's wait. */
export function patience(waitMs: number, over: AbortSignal): Patience {
  const until = performance.now() + waitMs;
  return { leftMs: () => (over.aborted ? 0 : Math.max(0, Math.ceil(until - performance.now()))), over };
}

/** The work's result, or `undefined` when the patience ends first. The work itself goes on. */
export async function orPatienceEnds<T>(work: Promise<T>, { over }: Patience): Promise<T | undefined> {
  if (over.aborted) {
    work.catch(() => undefined); // nobody is there any more to be told
    return undefined;
  }
  const ended = new AbortController();
  const left = new Promise<undefined>((resolve) => {
    over.addEventListener('abort', () => resolve(undefined), { once: true, signal: ended.signal });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    ended.abort();
    work.catch(() => undefined);
  }
}

/**
 * Looks again and again until there is something or the patience ends; what the last look found is the answer. The
 * first look is at once, and the waiting belongs to the request alone: nothing of it outlives the request.
 */
export async function lookUntil<T>(
  look: () => Promise<{ readonly done: boolean; readonly seen: T }>,
  waiting: Patience,
  everyMs: number,
): Promise<T> {
  for (;;) {
    const { done, seen } = await look();
    const leftMs = waiting.leftMs();
    if (done || leftMs <= 0) return seen;
    try {
      await pause(Math.min(everyMs, leftMs), undefined, { signal: waiting.over });
    } catch {
      return seen; // the client left or the process ends
    }
  }
}

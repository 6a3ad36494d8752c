import { setMaxListeners } from 'node:events';

/** When to stop waiting, and how to end what is being waited for. */
export interface CutOff {
  readonly signal: AbortSignal;
  /** Absent where something inside bounds the time already. */
  readonly withinMs?: number;
  readonly tooLate?: () => Error;
  /** Ends the work, so that nothing is left running; called once, before the rejection. */
  readonly end: () => void;
}

/**
 * Settles as `work` does, unless the signal (rejects with its reason) or the clock (rejects with `tooLate`) is first.
 * Then the work is ended and whatever it still answers is dropped.
 */
export async function cutOff<T>(work: Promise<T>, { signal, withinMs, tooLate, end }: CutOff): Promise<T> {
  work.catch(() => {}); // it may fail after nobody waits any more
  setMaxListeners(0, signal); // one signal stands over many calls in flight: no leak, and no warning of one
  const { promise: stopped, reject } = withReject();
  const stop = (reason: unknown) => {
    end();
    reject(reason);
  };
  const onAbort = () => stop(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const timer =
    withinMs === undefined ? undefined : setTimeout(() => stop(tooLate?.() ?? new Error('too late')), withinMs);
  try {
    return await Promise.race([stopped, work]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_resolve, rejected) => {
    reject = rejected;
  });
  promise.catch(() => {}); // work may win the race in the same turn
  return { promise, reject };
}

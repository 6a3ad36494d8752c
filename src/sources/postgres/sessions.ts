import pLimit, { type LimitFunction } from 'p-limit';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { cutOff } from '../cut-off.ts';
import { Session, type SessionOptions } from './session.ts';

const idleMs = 10_000; // long enough between the batches of a round, too short to occupy the source between rounds

/**
 * At most so many connections, opened when needed and kept for the next question. One that failed in any way is never
 * used again. Written over single connections because a call that is cancelled while it connects must end that socket.
 */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #limit: LimitFunction;
  readonly #idle = new Map<Session, NodeJS.Timeout>();
  readonly #busy = new Set<Session>();
  readonly #calls = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: SessionOptions, maxConnections: number) {
    this.#options = options;
    this.#limit = pLimit(maxConnections);
  }

  /** Runs `work` on a connection of its own; cancellation rejects at once, also while it waits for its turn. */
  async use<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closed) throw closed();
    signal.throwIfAborted();
    const call = this.#limit(() => this.#run(signal, work));
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.then(forget, forget);
    return cutOff(call, { signal, end: () => {} }); // the work sees the same signal and ends itself
  }

  async #run<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const session = this.#takeIdle() ?? (await Session.open(this.#options, signal));
    this.#busy.add(session);
    try {
      if (this.#closed) throw closed(); // while we connected
      const done = await work(session);
      this.#keep(session);
      return done;
    } catch (error) {
      session.destroy();
      throw error;
    } finally {
      this.#busy.delete(session);
    }
  }

  #takeIdle(): Session | undefined {
    for (const [session, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(session);
      if (session.usable) return session;
    }
    return undefined;
  }

  #keep(session: Session): void {
    const letGo = () => {
      this.#idle.delete(session);
      void session.close();
    };
    if (this.#closed || !session.usable) return letGo();
    this.#idle.set(session, setTimeout(letGo, idleMs).unref());
  }

  /** Ends every connection. What is still running fails. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    const idle = [...this.#idle.keys()];
    this.#idle.clear();
    for (const session of this.#busy) session.destroy();
    await Promise.all([...idle.map((session) => session.close()), Promise.allSettled(this.#calls)]);
  }
}

/** Settings of a catalog may change at any moment; the next attempt gets a source with the new ones. */
function closed(): ReconcilerFailure {
  return new ReconcilerFailure('SourceUnavailable', 'source-closed', 'The connections of this source were closed.');
}

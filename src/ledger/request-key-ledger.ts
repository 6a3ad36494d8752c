import type { CatalogKey } from './records.ts';

/** An answer, as it is given again to whoever sends the same request under the same key. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One attempt to carry out a request under a key. */
export interface KeyedAttempt {
  readonly scope: CatalogKey;
  readonly key: string;
  /** Given by the caller, and never the same twice. */
  readonly attempt: string;
}

export type KeyAnswer =
  /** Nobody used the key, or its time is over: the request may be carried out. */
  | { readonly state: 'taken' }
  /** The same request is being carried out. */
  | { readonly state: 'running' }
  /** Another request was sent under it. */
  | { readonly state: 'other-request' }
  | { readonly state: 'answered'; readonly answer: KeptAnswer };

/** Requests under idempotency keys: each is carried out once, and answered the same again. */
export interface RequestKeyLedger {
  /**
   * Takes the key for an attempt, where nobody has it. Deletes a few whose time is over.
   *
   * @param until when an attempt that settled nothing counts as broken off, and the key is free again
   */
  take(
    attempt: KeyedAttempt & { readonly fingerprint: string; readonly now: number; readonly until: number },
  ): Promise<KeyAnswer>;
  /** Keeps the answer; an attempt that lost its key meanwhile changes nothing. */
  keep(attempt: KeyedAttempt, answer: KeptAnswer, expiresAt: number): Promise<void>;
  /** Gives the key back: nothing was done, or a repeat is harmless. */
  release(attempt: KeyedAttempt): Promise<void>;
}

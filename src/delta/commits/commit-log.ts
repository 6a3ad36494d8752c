import type { Commit, TrackedCommit } from '../table.ts';

/** A change of the log: rows go, one row comes, one row becomes the marker. All of it or nothing. */
export interface CommitLogChange {
  readonly insert?: Commit;
  /** Rows up to and including this version go. The file names of versions that went may be kept for `fileNameOf`. */
  readonly removeUpTo?: bigint;
  /** This row stays as the marker of the highest version. */
  readonly markBackfilled?: bigint;
}

/** The tracked commits of one table, inside its unit of work. It stores; what may be stored is decided elsewhere. */
export interface CommitLog {
  /** Ascending by version. */
  tracked(): Promise<readonly TrackedCommit[]>;

  /**
   * The file that was accepted for a version whose row is gone, if the store keeps that; `undefined` where it does not.
   */
  fileNameOf(version: bigint): Promise<string | undefined>;

  /**
   * Applies the change. `false`, and nothing changed, if the version to insert is there already: (table, version) is
   * unique in the store, whatever lock was held. The unit of work goes on after it.
   */
  apply(change: CommitLogChange): Promise<boolean>;
}

/** What a request wants of the log; at least one of the two. */
export interface CommitRequest {
  readonly commit?: Commit;
  /** Every version up to this one is published in the table's own log. */
  readonly backfilledTo?: bigint;
}

export type Arbitration =
  | { readonly kind: 'accepted'; readonly change: CommitLogChange }
  /** The same file owns this version already: the whole request has no effect. */
  | { readonly kind: 'replay' }
  /** Its row is gone, so that only the bytes can tell a replay from a conflict. */
  | { readonly kind: 'content-check'; readonly version: bigint; readonly fileName: string }
  | { readonly kind: 'conflict' | 'invalid' | 'exhausted'; readonly message: string };

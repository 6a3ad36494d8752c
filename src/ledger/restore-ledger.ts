import type { Actor } from '../domain/actor.ts';
import type { Path } from '../domain/path.ts';
import type { Attachments, EntityKind } from '../domain/registration.ts';
import type { RestoreOutcome, RestoreRefusal, RestoreWarning } from '../domain/restore.ts';
import type { CatalogKey } from './records.ts';

/** A person's wish to have a removal undone, and what became of it. */
export interface RestoreRecord {
  readonly id: string;
  readonly catalog: CatalogKey;
  /** The removal that is undone, with everything that went with it. */
  readonly removal: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly at: number;
  readonly state: 'requested' | 'settled';
  readonly outcome?: RestoreOutcome;
  readonly outcomeReason?: string;
  /** What could not be given back. */
  readonly warnings: readonly RestoreWarning[];
  readonly entities: number;
  readonly settledAt?: number;
}

/** What was saved of one registration before it went. */
export interface SavedEntity {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly body: Attachments | 'unseen';
}

export interface RequestRestore {
  /** Chosen by the caller, so that a repeated request wishes nothing twice. */
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly removal: string;
  readonly actor: Actor;
  readonly reason?: string;
  /** Whether the catalog's registry can register something again under its old id. */
  readonly canRestore: boolean;
  readonly now: number;
}

export type RequestAnswer =
  /** A removal that somebody wants undone already is that wish. */
  | { readonly answer: 'requested'; readonly restore: RestoreRecord }
  | { readonly answer: 'refused'; readonly reason: RestoreRefusal | 'key-reused'; readonly hint: string };

export interface RestoreLedger {
  /**
   * One transaction, under the catalog's lock: the wish, a keep of 7 days on everything that went (so that the next
   * rounds cannot undo it), and the audit; or why the removal cannot be undone.
   */
  request(input: RequestRestore): Promise<RequestAnswer>;
  restore(id: string): Promise<RestoreRecord | undefined>;
  /** Of one removal, newest first. */
  ofRemoval(removal: string): Promise<readonly RestoreRecord[]>;
  /** Everything that went with a removal, in order of path. */
  saved(removal: string): Promise<readonly SavedEntity[]>;
  /**
   * One transaction: outcome, warnings, audit, and a line in the finding's history; after a refusal the keeps end. A
   * settled one is left as it is.
   */
  settle(input: {
    readonly id: string;
    readonly outcome: RestoreOutcome;
    readonly reason: string;
    readonly warnings: readonly RestoreWarning[];
    readonly entities: number;
    readonly now: number;
  }): Promise<RestoreRecord>;
}

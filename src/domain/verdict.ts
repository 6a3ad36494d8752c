import type { Path } from './path.ts';
import type { EntityKind, ObjectKind } from './registration.ts';

/** What a source answered to one existence question, by its own structured code (a row, an SQLSTATE, an error type). */
export type ProbeAnswer =
  | {
      readonly answer: 'present';
      readonly code: string;
      readonly found: ObjectKind;
      /** The source's own stable identity of the object (an oid, a UUID), where it has one. */
      readonly uid?: string;
    }
  | { readonly answer: 'absent'; readonly code: string }
  /** The container is missing, so the source could not be asked about the object itself. */
  | { readonly answer: 'parent-absent'; readonly code: string }
  | { readonly answer: 'unknown'; readonly code: string };

/** Where a source knows an identity to be now. */
export interface Located {
  readonly uid: string;
  readonly path: Path;
  readonly found: ObjectKind;
}

export type VerdictKind = 'present' | 'absent' | 'replaced' | 'renamed' | 'copied' | 'unknown';

/**
 * What a round concluded about one registration. Only the answer of a source about this very object makes `absent`;
 * every doubt is `unknown`, and unknown is never stale.
 */
export type Verdict =
  | { readonly kind: 'present'; readonly code: string; readonly found: ObjectKind; readonly uid?: string }
  | { readonly kind: 'absent'; readonly code: string; readonly uid?: string }
  /** Another object stands under the name; `uid` is the new one's. */
  | { readonly kind: 'replaced'; readonly code: string; readonly found: ObjectKind; readonly uid?: string }
  /** The remembered object lives under `movedTo`; `taken` where that name is registered already. */
  | {
      readonly kind: 'renamed';
      readonly code: string;
      readonly uid: string;
      readonly movedTo: Path;
      readonly taken: boolean;
    }
  | { readonly kind: 'copied'; readonly code: string; readonly uid: string }
  | { readonly kind: 'unknown'; readonly code: string };

/** The identity that an earlier complete round saw behind a registration. */
export interface RememberedIdentity {
  readonly uid?: string;
  readonly found: ObjectKind;
}

/** A registration as the object of a question. */
export interface ProbeTarget {
  readonly path: Path;
  readonly kind: EntityKind;
  /** Where it is stored, as it is registered; asked about by sources that know objects by their place. */
  readonly location?: string;
}

/**
 * What was asked and with which eyes; equal for all objects that were asked in the same way, so it is stored once per
 * digest. The time and the object itself stand on the verdict's own row.
 */
export interface Evidence {
  /** The kind of source, such as `postgresql`. */
  readonly source: string;
  /** The question, such as `pg_catalog lookup by name`. */
  readonly asked: string;
  /** The structured code of the answer. */
  readonly code: string;
  /** Whom the source took us for. */
  readonly principal: string;
  readonly fingerprint: string;
  /** How far the answer can be trusted; only a conclusive one makes `absent`. */
  readonly strength: 'conclusive' | 'privilege-filtered' | 'ambiguous';
}

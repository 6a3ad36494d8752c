import type { FailureType } from '../domain/failure.ts';
import type { RoundTally } from '../domain/guard.ts';
import type { VerdictKind } from '../domain/verdict.ts';

/** Where a catalog stands after its latest round. Only `ok` lets anything be removed. */
export type CatalogState = 'never-scanned' | 'ok' | 'unreachable' | 'incomplete' | 'failed' | 'source-changed';

/**
 * `published`: judged, and what readers and removals go by. `scanned`: a dry one that ended well. The others published
 * nothing and moved nothing.
 */
export type RoundState =
  | 'running'
  | 'published'
  | 'scanned'
  | 'unreachable'
  | 'incomplete'
  | 'failed'
  | 'source-changed'
  | 'cancelled';

export type RoundTrigger = 'schedule' | 'request';

/** Why a round ended without being published; the message tells what happened, to what, and what to do. */
export interface RoundReason {
  readonly type: FailureType | 'SourceChanged' | 'Cancelled';
  readonly code: string;
  readonly message: string;
}

export interface Pause {
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

export interface RoundCounts {
  /** Everything that the registry listed. */
  readonly registrations: number;
  /** Of those, marked to be probed. */
  readonly eligible: number;
  readonly verdicts: Readonly<Partial<Record<VerdictKind, number>>>;
  /** Findings open after the round, and those that auto-remove may act on. */
  readonly open: number;
  readonly due: number;
  /** What the guard of a published round went by, whether it held anything or not. */
  readonly guard?: RoundTally;
}

/** `metalake/catalog` as a path text. */
export type CatalogKey = string;

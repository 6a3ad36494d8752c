import type { Actor } from '../domain/actor.ts';
import type { HoldReason } from '../domain/guard.ts';
import type { EntityKind } from '../domain/registration.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import type { CatalogName } from './names.ts';

/** Input of `roundTick`, which a schedule starts. */
export interface TickInput extends CatalogName {
  readonly v: 1;
  /** The gap between two rounds; a cron expression's varies, so it is asked for there. */
  readonly intervalMs: number;
}

/** Input of `reconcileRound`. */
export interface RoundInput extends CatalogName {
  readonly v: 1;
  readonly dry: boolean;
  readonly trigger: 'schedule' | 'request';
  readonly requestedBy: Actor;
  /** The time that the schedule meant; the start for a round on request. */
  readonly nominalAt?: number;
  readonly intervalMs?: number;
}

export type RoundPhase =
  | 'opening'
  | 'checking'
  | 'listing'
  | 'probing'
  | 'settling'
  | 'checking-again'
  | 'judging'
  | 'publishing'
  | 'done';

export type RoundEnd =
  | 'published'
  | 'scanned'
  | 'unreachable'
  | 'incomplete'
  | 'failed'
  | 'source-changed'
  | 'cancelled';

export interface StaleSample {
  /** Path text. */
  readonly path: string;
  readonly kind: EntityKind;
  readonly code: string;
}

/** At most so many samples travel through a round's history; the rest is read from the ledger. */
export const maxSamples = 50;

export interface RoundTotals {
  readonly registrations: number;
  readonly eligible: number;
  readonly probed: number;
  readonly verdicts: Readonly<Partial<Record<VerdictKind, number>>>;
}

/** Answer of the query `report`, at any moment of a round and after it. */
export interface RoundReport extends CatalogName {
  readonly roundId: string;
  readonly dry: boolean;
  readonly phase: RoundPhase;
  readonly totals: RoundTotals;
  readonly samples: readonly StaleSample[];
  readonly end?: RoundEnd;
  readonly hold: readonly HoldReason[];
  readonly reason?: { readonly type: string; readonly code: string; readonly message: string };
  /** Where the API has the whole. */
  readonly more: string;
}

/** What a finished round answers. */
export interface RoundResult {
  readonly roundId: string;
  readonly end: RoundEnd;
  readonly totals: RoundTotals;
  readonly open: number;
  readonly due: number;
  readonly hold: readonly HoldReason[];
  readonly reason?: { readonly type: string; readonly code: string; readonly message: string };
}

import type { Actor } from '../domain/actor.ts';
import type { DecisionRequest, RefusalReason } from '../domain/decision.ts';
import type { Bucket } from '../domain/pace.ts';
import type { RemovalOutcome } from '../domain/removal.ts';
import type { CatalogName } from './names.ts';

/** Input of `catalogReview`, carried over when it renews itself. JSON-safe values only. */
export interface ReviewInput extends CatalogName {
  readonly v: 1;
  readonly bucket?: Bucket;
  readonly done?: ReviewTotals;
  /** Decisions that came by signal while the run before renewed itself. */
  readonly approvals?: readonly DecideMessage[];
}

/** How many removals the review has seen end, by outcome. */
export type ReviewTotals = Readonly<Partial<Record<RemovalOutcome, number>>>;

/** At most so many items in one decision; more belong in several requests. */
export const maxDecisionItems = 1_000;

/** Argument of update `decide` and of signal `approve`. */
export interface DecideMessage {
  readonly items: readonly DecisionRequest[];
  readonly actor: Actor;
  readonly reason?: string;
  /** Makes the decision idempotent, across runs of the workflow too. */
  readonly requestKey: string;
  /** Unix milliseconds after which the request is no longer meant. */
  readonly notAfter: number;
}

export type DecisionAnswer =
  | { readonly findingId: string; readonly answer: 'accepted'; readonly decisionId: string; readonly repeated: boolean }
  | { readonly findingId: string; readonly answer: 'refused'; readonly reason: RefusalReason; readonly hint: string };

export interface DecideResult {
  readonly answers: readonly DecisionAnswer[];
}

/** Failure types with which the validator of `decide` refuses before anything is written. */
export const decideRefusals = {
  /** The message is not one; sending it again cannot help. */
  malformed: 'MalformedDecision',
  /** The run is about to continue as new; send it again at once. */
  renewing: 'Renewing',
} as const;

/** Signal `wake`: something in the ledger changed that the review should look at. */
export interface WakeMessage {
  readonly why: string;
}

/** Answer of query `staleReport`. */
export interface StaleReport extends CatalogName {
  readonly open: number;
  /** What the review does now: waiting (for what), pacing, removing, settling. */
  readonly doing: string;
  readonly more: string;
}

/** Answer of query `removals`. */
export interface RemovalsReport extends CatalogName {
  readonly totals: ReviewTotals;
  readonly latest: readonly RemovalNote[];
  readonly more: string;
}

export interface RemovalNote {
  readonly path: string;
  readonly outcome: RemovalOutcome;
  readonly at: number;
}

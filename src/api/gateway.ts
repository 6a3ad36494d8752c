import type { CatalogName } from '../contract/names.ts';
import type { DecideMessage, DecideResult } from '../contract/review-messages.ts';
import type { RoundReport, RoundResult } from '../contract/round-messages.ts';
import type { Actor } from '../domain/actor.ts';

/** One run of a round or a dry scan. */
export interface RoundRun {
  readonly roundId: string;
  readonly workflowId: string;
  /** Whether a running one was joined instead of starting another. */
  readonly joined: boolean;
}

/**
 * What the API asks of running workflows. Everything has a deadline. Throws {@link GatewayUnavailable} where nothing
 * was sent; an answer of `sent` means that it was and may still be carried out.
 */
export interface Gateway {
  /** Starts a round (or a dry scan) of the catalog, or joins the one that runs. */
  startRound(name: CatalogName, options: { readonly dry: boolean; readonly actor: Actor }): Promise<RoundRun>;
  /** The result, or `undefined` when the wait is over first. */
  awaitRound(run: RoundRun, waitMs: number): Promise<RoundResult | undefined>;
  /** The live report of the running round or scan; `undefined` where none runs or no worker answers in time. */
  liveReport(name: CatalogName, options: { readonly dry: boolean }): Promise<RoundReport | undefined>;
  /** Sends a decision to the catalog's review, starting it where it does not run. */
  decide(
    name: CatalogName,
    message: DecideMessage,
  ): Promise<
    | { readonly status: 'answered'; readonly result: DecideResult }
    | { readonly status: 'sent'; readonly updateId: string }
  >;
  /** Tells the review to look at the ledger again, starting it where it does not run. */
  wakeReview(name: CatalogName, why: string): Promise<void>;
  /** Resolves when Temporal answers; for readiness. */
  ping(): Promise<void>;
}

export { GatewayUnavailable } from '../contract/gateway-unavailable.ts';

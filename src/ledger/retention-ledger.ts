import type { CatalogKey } from './records.ts';

/** What is kept for a limited time only. Rounds, findings, their history, decisions, intents and removals are kept. */
export interface RetentionLedger {
  /**
   * Deletes one batch of what the policy no longer keeps: what was attached to removed registrations, then lines of the
   * audit. Each batch is a transaction of its own, so that a purge that is broken off goes on where it was; `next`, where
   * more may be left, goes into `after` of the call that follows.
   */
  purge(input: {
    readonly catalog: CatalogKey;
    readonly now: number;
    readonly after?: { readonly at: number; readonly id: string };
    readonly limit: number;
  }): Promise<{ readonly next?: { readonly at: number; readonly id: string } }>;
}

import type { Actor } from '../domain/actor.ts';
import type { DecisionRequest, RefusalReason } from '../domain/decision.ts';
import type { DecisionRecord } from './finding-ledger.ts';
import type { CatalogKey, Pause } from './records.ts';

export type DecisionAnswer =
  | { readonly findingId: string; readonly answer: 'accepted'; readonly decisionId: string; readonly repeated: boolean }
  | { readonly findingId: string; readonly answer: 'refused'; readonly reason: RefusalReason; readonly hint: string };

/** What became of a wish to let held findings go. */
export type OverrideAnswer =
  /** `admits` says how many findings it covers; a repeated id answers as the first time. */
  | { readonly answer: 'created'; readonly id: string; readonly admits: number }
  | { readonly answer: 'refused'; readonly reason: 'not-held' | 'nothing-held' | 'expiry-in-the-past' };

export interface DecideInput {
  readonly catalog: CatalogKey;
  readonly items: readonly DecisionRequest[];
  readonly actor: Actor;
  readonly reason?: string;
  readonly requestKey: string;
  /** Whether the catalog's registry can give a registration another name. */
  readonly canRepoint: boolean;
  readonly now: number;
  readonly notAfter: number;
}

export interface DecisionLedger {
  /**
   * Decides each item in one transaction, by `decisionRefusal` of the domain, under the findings' locks. The same key
   * for the same finding answers as the first time, and is refused where it now asks for something else. An accepted
   * decision replaces an earlier active one on that finding, and a keep of its entity that an earlier finding left.
   * Refusals are audited as well.
   */
  decide(input: DecideInput): Promise<readonly DecisionAnswer[]>;
  /** Newest first. */
  decisions(
    catalog: CatalogKey,
    page: { readonly finding?: string; readonly limit: number },
    now: number,
  ): Promise<readonly DecisionRecord[]>;
  /**
   * Admits the findings that are held now, by id and digest, up to a count of registrations (whatever is inside a
   * container counts), until it expires. The caller gives the id, so that a repeated wish admits nothing twice.
   */
  override(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly actor: Actor;
    readonly reason: string;
    readonly maxCount: number;
    readonly expiresAt: number;
    readonly now: number;
  }): Promise<OverrideAnswer>;
  pause(catalog: CatalogKey, pause: Pause, actor: Actor): Promise<void>;
  /** Also clears a stop of the removal loop. */
  resume(catalog: CatalogKey, actor: Actor, now: number): Promise<void>;
  /** Accepts what now answers behind the catalog's address: forgets the fingerprint, epoch and identities. */
  acceptSource(catalog: CatalogKey, actor: Actor, reason: string, now: number): Promise<void>;
}

import type { Actor } from '../domain/actor.ts';
import type { DecisionRequest, Refusal, RefusalReason } from '../domain/decision.ts';
import type { DecisionRecord } from './finding-ledger.ts';
import type { CatalogKey, Pause } from './records.ts';

export type DecisionAnswer =
  | { readonly findingId: string; readonly answer: 'accepted'; readonly decisionId: string; readonly repeated: boolean }
  | { readonly findingId: string; readonly answer: 'refused'; readonly reason: RefusalReason; readonly hint: string };

/** What became of a wish to let held findings go. */
export type OverrideAnswer =
  /** `admits` says how many findings it covers; a repeated id answers as the first time. */
  | {
      readonly answer: 'created';
      readonly id: string;
      readonly admits: number;
      /** `requested`: under four eyes it admits nothing before somebody else approved it. */
      readonly state: 'requested' | 'active';
    }
  | { readonly answer: 'refused'; readonly reason: 'not-held' | 'nothing-held' | 'expiry-in-the-past' };

export interface OverrideRecord {
  readonly id: string;
  readonly actor: Actor;
  readonly reason: string;
  /** How many findings it covers. */
  readonly admits: number;
  readonly maxCount: number;
  /** Registrations that went under it. */
  readonly used: number;
  readonly at: number;
  readonly expiresAt: number;
  readonly state: 'requested' | 'active' | 'used-up' | 'expired';
  readonly approved?: { readonly by: Actor; readonly at: number };
}

export type ApproveOverrideAnswer =
  /** Again, or for one that needed no approval, it answers what there is. */
  | { readonly answer: 'approved'; readonly override: OverrideRecord }
  | { readonly answer: 'refused'; readonly reason: 'no-such-override' | 'same-person' | 'expired' };

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
  /** Refuses every item, whatever it asks for. */
  readonly refusal?: Refusal;
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
   * container counts), until it expires; under four eyes only once somebody else approved it. The caller gives the id, so that a repeated wish admits nothing twice.
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
  /** Another person's approval of a requested override. Refusals are audited as well. */
  approveOverride(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly actor: Actor;
    readonly now: number;
  }): Promise<ApproveOverrideAnswer>;
  /** Newest first. */
  overrides(catalog: CatalogKey, limit: number, now: number): Promise<readonly OverrideRecord[]>;
  pause(catalog: CatalogKey, pause: Pause, actor: Actor): Promise<void>;
  /** Also clears a stop of the removal loop. */
  resume(catalog: CatalogKey, actor: Actor, now: number, reason?: string): Promise<void>;
  /** Accepts what now answers behind the catalog's address: forgets the fingerprint, epoch and identities. */
  acceptSource(catalog: CatalogKey, actor: Actor, reason: string, now: number): Promise<void>;
}

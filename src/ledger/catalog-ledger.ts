import type { Actor } from '../domain/actor.ts';
import type { HoldReason } from '../domain/guard.ts';
import type { PolicyChange } from '../domain/policy-change.ts';
import type { Policy } from '../domain/policy.ts';
import type { CatalogKey, CatalogState, Pause, RoundReason } from './records.ts';

export interface CatalogRecord {
  readonly key: CatalogKey;
  readonly metalake: string;
  readonly name: string;
  readonly state: CatalogState;
  readonly stateReason?: RoundReason;
  readonly stateSince: number;
  readonly hold: readonly HoldReason[];
  readonly pause?: Pause;
  readonly stop?: { readonly reason: string; readonly at: number };
  readonly published?: { readonly id: string; readonly at: number };
  readonly epoch?: string;
  /** The system that was accepted as this catalog's source. */
  readonly fingerprint?: string;
}

export interface CatalogLedger {
  /** Creates the row where there is none. */
  ensure(metalake: string, name: string, now: number): Promise<CatalogRecord>;
  catalog(key: CatalogKey): Promise<CatalogRecord | undefined>;
  catalogs(): Promise<readonly CatalogRecord[]>;
  /** The effective policy; the domain's default, report-only, where none was ever applied. */
  policy(key: CatalogKey): Promise<{ readonly version: number; readonly policy: Policy; readonly intervalMs: number }>;
  /**
   * Writes what the configuration says as a new version where it differs from the effective one, audited; voids approvals
   * where the new one is stricter (`isStricter`). Says whether it wrote. What {@link changePolicy} changed holds until
   * the configuration says something else than it did then: `changedOverApi`.
   */
  applyPolicy(input: {
    readonly catalog: CatalogKey;
    readonly policy: Policy;
    readonly intervalMs: number;
    readonly actor: Actor;
    readonly now: number;
  }): Promise<{ readonly version: number; readonly changed: boolean; readonly changedOverApi?: true }>;
  /** A person's change of the effective policy, audited, with the same consequences. */
  changePolicy(input: {
    readonly catalog: CatalogKey;
    /** The version that the person has seen. */
    readonly seenVersion: number;
    readonly change: PolicyChange;
    readonly actor: Actor;
    readonly reason: string;
    readonly now: number;
  }): Promise<
    | { readonly answer: 'changed'; readonly version: number }
    | { readonly answer: 'other-version'; readonly version: number }
    | { readonly answer: 'unsafe'; readonly flaw: string }
  >;
  /** Newest first; nothing where none was ever applied. */
  policyVersions(
    catalog: CatalogKey,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<readonly PolicyVersion[]>;
}

/** One version of a catalog's policy. */
export interface PolicyVersion {
  readonly version: number;
  readonly policy: Policy;
  readonly intervalMs: number;
  readonly actor: Actor;
  readonly at: number;
  readonly reason?: string;
  /** Whether it differs from the configuration because a person changed it. */
  readonly changedOverApi: boolean;
  /** Every setting that differs from the version before. */
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

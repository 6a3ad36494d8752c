import type { Actor } from '../domain/actor.ts';
import type { HoldReason } from '../domain/guard.ts';
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
   * Writes a new version where it differs from the effective one, audited; voids approvals where the new one is
   * stricter (`isStricter`). Says whether it wrote.
   */
  applyPolicy(input: {
    readonly catalog: CatalogKey;
    readonly policy: Policy;
    readonly intervalMs: number;
    readonly actor: Actor;
    readonly now: number;
  }): Promise<{ readonly version: number; readonly changed: boolean }>;
}

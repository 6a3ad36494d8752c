import type { Actor } from '../domain/actor.ts';
import type { Path } from '../domain/path.ts';
import type { CatalogKey } from './records.ts';

/**
 * Reads a name pattern and tells which paths it covers. One that cannot be read any more covers every path: it must not
 * let go of what a person meant by it.
 */
export type ReadPattern = (pattern: string) => (path: Path) => boolean;

/** A person's standing order to keep whatever matches a pattern. */
export interface StandingKeep {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly pattern: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly at: number;
  /** Absent for good. */
  readonly keepUntil?: number;
  readonly state: 'active' | 'expired' | 'ended';
  readonly ended?: { readonly at: number; readonly by: Actor };
}

export interface KeepLedger {
  /**
   * One transaction: the order, and a keep for every open finding that matches and has none; approvals of those are void.
   * Published rounds do the same for what they find. A repeated id answers the order as it was given first.
   */
  order(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly pattern: string;
    readonly actor: Actor;
    readonly reason?: string;
    readonly keepUntil?: number;
    readonly now: number;
  }): Promise<{ readonly keep: StandingKeep; readonly kept: number }>;
  /** Newest first. */
  list(catalog: CatalogKey, limit: number, now: number): Promise<readonly StandingKeep[]>;
  /**
   * Takes an order back, and with it the keeps that followed it; what another order covers stays kept. `undefined` where
   * the catalog has none of this id.
   */
  end(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly actor: Actor;
    readonly now: number;
  }): Promise<{ readonly keep: StandingKeep; readonly released: number } | undefined>;
}

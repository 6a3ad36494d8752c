import { and, eq } from 'drizzle-orm';
import { completePolicy, isStricter, type Policy } from '../domain/policy.ts';
import type { Removed } from '../domain/removal-limits.ts';
import type { CatalogRow } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { type KeepInForce, keepsInForce } from './keeps-in-force.ts';
import type { ReadPattern } from './ledger.ts';
import { effectivePolicy } from './policies.ts';
import { removedSoFar } from './removals-limits.ts';
import { policies, rounds } from './schema.ts';

/** What all findings of a catalog share when their removal is asked about. */
export interface Circumstances {
  readonly catalog: CatalogRow;
  readonly policy: Policy;
  /**
   * What the published round went by: this very policy, another one that asked for no less, or one that asked for
   * less. What it called ripe under a laxer one may be protected, excluded or too young now.
   */
  readonly judgedUnder: 'this-policy' | 'another' | 'a-laxer-one';
  /** What went already, for the limits. */
  readonly removed: Removed;
  readonly standingKeeps: readonly KeepInForce[];
  readonly now: number;
  readonly exclusive: boolean;
}

export async function circumstancesOf(
  db: LedgerDatabase,
  catalog: CatalogRow,
  { now, exclusive, readPattern }: Pick<Circumstances, 'now' | 'exclusive'> & { readonly readPattern: ReadPattern },
): Promise<Circumstances> {
  const { policy, version } = await effectivePolicy(db, catalog.key);
  const [round] = await db
    .select({ version: rounds.policyVersion, policy: policies.body })
    .from(rounds)
    .leftJoin(policies, and(eq(policies.catalog, rounds.catalog), eq(policies.version, rounds.policyVersion)))
    .where(eq(rounds.id, catalog.publishedRound ?? ''));
  const removed = await removedSoFar(db, catalog, now);
  const standingKeeps = await keepsInForce(db, catalog.key, now, readPattern);
  const shared = { catalog, policy, now, exclusive, removed, standingKeeps };
  if (round === undefined) return { ...shared, judgedUnder: 'a-laxer-one' };
  if (round.version === version) return { ...shared, judgedUnder: 'this-policy' };
  const isLaxer = isStricter(completePolicy(round.policy ?? {}), policy);
  return { ...shared, judgedUnder: isLaxer ? 'a-laxer-one' : 'another' };
}

import { and, countDistinct, eq } from 'drizzle-orm';
import { type LedgerDatabase, walking } from './database.ts';
import { approves } from './decisions-in-force.ts';
import type { CatalogKey, FindingLedger } from './ledger.ts';
import { countFindings } from './rounds/counts.ts';
import { decisions, findings } from './schema.ts';

/** `approved` are open findings with an approval that still holds: of exactly this evidence, and not expired. */
export async function countOpen(
  db: LedgerDatabase,
  catalog: CatalogKey,
  now: number,
): ReturnType<FindingLedger['count']> {
  const [counted] = await db
    .select({ approved: countDistinct(findings.id) })
    .from(decisions)
    .innerJoin(
      findings,
      and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest), eq(findings.state, 'open')),
    )
    .where(and(eq(decisions.catalog, catalog), approves(decisions, now)));
  return { ...(await walking(db, (tx) => countFindings(tx, catalog))), approved: counted?.approved ?? 0 };
}

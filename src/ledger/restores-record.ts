import { and, asc, eq } from 'drizzle-orm';
import type { LedgerDatabase } from './database.ts';
import type { CatalogKey, RestoreRecord } from './ledger.ts';
import { restores } from './schema.ts';

export async function restoreOf(db: LedgerDatabase, id: string): Promise<RestoreRecord | undefined> {
  const [row] = await db.select().from(restores).where(eq(restores.id, id));
  return row === undefined ? undefined : restoreRecord(row);
}

/** The oldest wish of the catalog that waits to be carried out. */
export async function requestedRestore(db: LedgerDatabase, catalog: CatalogKey): Promise<RestoreRecord | undefined> {
  const [row] = await db
    .select()
    .from(restores)
    .where(and(eq(restores.catalog, catalog), eq(restores.state, 'requested')))
    .orderBy(asc(restores.at), asc(restores.id))
    .limit(1);
  return row === undefined ? undefined : restoreRecord(row);
}

export function restoreRecord(row: typeof restores.$inferSelect): RestoreRecord {
  const { reason, outcome, outcomeReason, settledAt, ...rest } = row;
  return {
    ...rest,
    ...(reason === null ? {} : { reason }),
    ...(outcome === null ? {} : { outcome }),
    ...(outcomeReason === null ? {} : { outcomeReason }),
    ...(settledAt === null ? {} : { settledAt }),
  };
}

import { and, desc, eq, sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { LedgerDatabase } from '../database.ts';
import type { CatalogKey, RoundRecord } from '../ledger.ts';
import { rounds } from '../schema.ts';

export type RoundRow = typeof rounds.$inferSelect;

export async function roundRow(db: LedgerDatabase, id: string): Promise<RoundRow | undefined> {
  const [row] = await db.select().from(rounds).where(eq(rounds.id, id));
  return row;
}

/** The round, which must exist: whoever names it was told its id by opening it. */
export async function knownRound(db: LedgerDatabase, id: string): Promise<RoundRow> {
  const row = await roundRow(db, id);
  if (row === undefined) throw new ReconcilerFailure('InvalidRequest', 'no-such-round', `no round ${id} was opened`);
  return row;
}

export async function roundsOf(
  db: LedgerDatabase,
  catalog: CatalogKey,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly RoundRecord[]> {
  const last = after === undefined ? undefined : await knownRound(db, after);
  const rows = await db
    .select()
    .from(rounds)
    .where(
      and(
        eq(rounds.catalog, catalog),
        last === undefined
          ? undefined
          : sql`(${rounds.startedAt}, ${rounds.id}) < (${last.startedAt}::bigint, ${last.id}::text)`,
      ),
    )
    .orderBy(desc(rounds.startedAt), desc(rounds.id))
    .limit(limit);
  return rows.map(roundRecord);
}

export function roundRecord(row: RoundRow): RoundRecord {
  return {
    id: row.id,
    catalog: row.catalog,
    seq: row.seq,
    dry: row.dry,
    trigger: row.trigger,
    requestedBy: row.requestedBy,
    workflowId: row.workflowId,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    startedAt: row.startedAt,
    ...(row.endedAt === null ? {} : { endedAt: row.endedAt }),
    ...(row.counts === null ? {} : { counts: row.counts }),
    hold: row.hold,
  };
}

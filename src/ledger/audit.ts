import { and, asc, desc, eq, gt, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement, rowsOf } from './database.ts';
import type { AuditEntry, AuditLedger, CatalogKey } from './ledger.ts';
import { audit } from './schema.ts';

/** Adds one line to the audit, in the transaction of what it tells about: neither is ever there without the other. */
export async function writeAudit(tx: LedgerDatabase, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await tx.insert(audit).values(entry);
}

export function createAuditLedger(db: LedgerDatabase): AuditLedger {
  return {
    note: (entry) => writeAudit(db, entry),
    page: ({ after, ...query }) =>
      read(query, after === undefined ? undefined : gt(audit.feed, after), asc(audit.feed)),
    latest: ({ before, ...query }) =>
      read(query, before === undefined ? undefined : lt(audit.feed, before), desc(audit.feed)),
  };

  async function read(
    { catalog, limit }: { readonly catalog?: CatalogKey; readonly limit: number },
    bound: SQL | undefined,
    order: SQL,
  ): Promise<readonly AuditEntry[]> {
    await numberCommitted(db);
    const rows = await db
      .select()
      .from(audit)
      .where(and(catalog === undefined ? undefined : eq(audit.catalog, catalog), isNotNull(audit.feed), bound))
      .orderBy(order)
      .limit(limit);
    return rows.map(({ id, feed, catalog: of, ...row }) => ({
      id: feed ?? id,
      ...row,
      ...(of === null ? {} : { catalog: of }),
    }));
  }
}

/** Any number that nobody else locks by. */
const feedLock = 0x6175_6469;

/**
 * Gives every committed line its place in the feed. The numbers that a table counts by itself are taken when a line is
 * written, and a transaction that took a lower one may commit later: a reader who is past it by then would never see it.
 * Here only what is committed gets a number, one reader after the other, so a line that comes later has a higher one.
 */
async function numberCommitted(db: LedgerDatabase): Promise<void> {
  const look = sql`select exists (select from ${audit} where feed is null) as waiting`;
  const [line] = await rowsOf<{ waiting: boolean }>(db, look);
  if (line?.waiting !== true) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${feedLock})`);
    await tx.execute(sql`
      update ${audit} set feed = numbered.feed from (
        select id, nextval('audit_feed') as feed from (
          select id from ${audit} where feed is null order by id limit ${rowsAStatement}
        ) waiting
      ) numbered where ${audit}.id = numbered.id`);
  });
}

import { sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { rowChunks } from './running.ts';

interface Vanishing {
  readonly catalog: CatalogKey;
  /** An earlier published round whose rows are about to go … */
  readonly round: string;
  /** … the first so many of them. */
  readonly rows: number;
}

/**
 * Forgets the identities of registrations that the published round no longer has, or memory would grow with every
 * registration that ever was. One that only moved to another path is remembered: without its identity a rename at the
 * source would look like an absence. So is one that we removed, as long as it can be restored: it would come back under
 * its old id, and whatever else has its name by then is not its object.
 */
export async function forgetVanished(db: LedgerDatabase, vanishing: Vanishing): Promise<void> {
  const published = await publishedRound(db, vanishing.catalog);
  if (published === undefined) return;
  const gone = new Set(await notInPlace(db, vanishing, published));
  if (gone.size === 0) return;
  for await (const { from, to } of rowChunks(db, published)) {
    const elsewhere = await rowsOf<{ entity: string }>(
      db,
      sql`
        select entity from snapshot
        where round = ${published} and row >= ${from} and row < ${to}
          and entity = any (${sql.param([...gone])}::text[])`,
    );
    for (const { entity } of elsewhere) gone.delete(entity);
    if (gone.size === 0) return;
  }
  await db.execute(sql`
    delete from identities i
    where i.catalog = ${vanishing.catalog} and i.entity = any (${sql.param([...gone])}::text[])
      and not exists (select from saved_attachments s where s.entity = i.entity)`);
}

async function publishedRound(db: LedgerDatabase, catalog: CatalogKey): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string | null }>(
    db,
    sql`select published_round as id from catalogs where key = ${catalog}`,
  );
  return row?.id ?? undefined;
}

/**
 * Most stand in the same rows as before. Those are compared first, by one `in` that is hashed whatever the database
 * believes of the tables; to look up the path of every one takes ten times as long.
 */
async function notInPlace(
  db: LedgerDatabase,
  { round, rows }: Vanishing,
  published: string,
): Promise<readonly string[]> {
  const found = await rowsOf<{ entity: string }>(
    db,
    sql`
      with leaving as materialized (
        select row, entity, path from snapshot
        where round = ${round} and row < (select min(row) + ${rows}::int from snapshot where round = ${round})
      ), elsewhere as (
        select entity, path from leaving where entity not in (
          select entity from snapshot
          where round = ${published} and row >= (select min(row) from leaving) and row <= (select max(row) from leaving)
        )
      )
      select e.entity from elsewhere e
      left join lateral (
        select entity from snapshot where round = ${published} and path = e.path offset 0
      ) there on true
      where there.entity is distinct from e.entity`,
  );
  return found.map(({ entity }) => entity);
}

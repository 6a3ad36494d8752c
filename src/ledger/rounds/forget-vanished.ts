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
 * source would look like an absence.
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
    delete from identities
    where catalog = ${vanishing.catalog} and entity = any (${sql.param([...gone])}::text[])`);
}

async function publishedRound(db: LedgerDatabase, catalog: CatalogKey): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string | null }>(
    db,
    sql`select published_round as id from catalogs where key = ${catalog}`,
  );
  return row?.id ?? undefined;
}

async function notInPlace(
  db: LedgerDatabase,
  { round, rows }: Vanishing,
  published: string,
): Promise<readonly string[]> {
  const found = await rowsOf<{ entity: string }>(
    db,
    sql`
      select earlier.entity from snapshot earlier
      left join snapshot now_listed on now_listed.round = ${published} and now_listed.path = earlier.path
      where earlier.round = ${round}
        and earlier.row < (select min(row) + ${rows}::int from snapshot where round = ${round})
        and now_listed.entity is distinct from earlier.entity`,
  );
  return found.map(({ entity }) => entity);
}

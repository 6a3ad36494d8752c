import { sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { forgetVanished } from './forget-vanished.ts';

interface Left {
  readonly id: string;
  /** Its snapshot stays, and only what was applied by publishing it goes. */
  readonly published: boolean;
  /** It was the published round once. */
  readonly wasPublished: boolean;
}

/** Rounds looked at in one call; more than one is left only after failures. */
const roundsAtOnce = 20;

/**
 * Deletes in statements of their own, each committed by itself: a broken-off call loses nothing, and nobody waits for
 * a long one. Kept are the rows of the published round, of those at work, of the newest dry scan, whose report is still
 * read, and of the round that an open removal goes by.
 */
export async function tidyCatalog(
  db: LedgerDatabase,
  catalog: CatalogKey,
  limit: number,
): Promise<{ readonly more: boolean }> {
  let budget = limit;
  const take = async (remove: (rows: number) => Promise<number>): Promise<boolean> => {
    while (budget > 0) {
      const rows = Math.min(budget, rowsAStatement);
      const gone = await remove(rows);
      budget -= gone;
      if (gone < rows) return true;
    }
    return false;
  };
  for (const { id, published, wasPublished } of await leftRounds(db, catalog)) {
    if (!(await take((rows) => removeJudgements(db, id, rows)))) return { more: true };
    if (published) continue;
    if (!(await take((rows) => removeVerdicts(db, id, rows)))) return { more: true };
    const removeListed = async (rows: number) => {
      if (wasPublished) await forgetVanished(db, { catalog, round: id, rows });
      return removeSnapshot(db, id, rows);
    };
    if (!(await take(removeListed))) return { more: true };
    await db.execute(sql`update rounds set tidied = true where id = ${id}`);
  }
  return { more: false };
}

async function leftRounds(db: LedgerDatabase, catalog: CatalogKey): Promise<readonly Left[]> {
  return rowsOf<Left>(
    db,
    sql`
      select r.id, r.id = c.published_round is true as published, r.state = 'published' as "wasPublished"
      from rounds r join catalogs c on c.key = r.catalog
      where r.catalog = ${catalog} and not r.tidied and r.state <> 'running'
        and r.id is distinct from (
          select id from rounds where catalog = ${catalog} and not tidied and dry and state = 'scanned'
          order by started_at desc, id desc limit 1
        )
        and not exists (select from intents i where i.catalog = ${catalog} and i.state = 'open' and i.round = r.id)
      order by r.started_at, r.id limit ${roundsAtOnce}`,
  );
}

const removeVerdicts = (db: LedgerDatabase, round: string, rows: number): Promise<number> =>
  removed(
    db,
    sql`
      delete from verdicts where round = ${round}
        and row < (select min(row) + ${rows}::int from verdicts where round = ${round})`,
  );

const removeSnapshot = (db: LedgerDatabase, round: string, rows: number): Promise<number> =>
  removed(
    db,
    sql`
      delete from snapshot where round = ${round}
        and row < (select min(row) + ${rows}::int from snapshot where round = ${round})`,
  );

const removeJudgements = (db: LedgerDatabase, round: string, rows: number): Promise<number> =>
  removed(
    db,
    sql`
      delete from judgements j
      using (select entity from judgements where round = ${round} order by entity limit ${rows}) batch
      where j.round = ${round} and j.entity = batch.entity`,
  );

async function removed(db: LedgerDatabase, deletion: ReturnType<typeof sql>): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`with gone as (${deletion} returning 1) select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
}

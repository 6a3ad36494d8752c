import { sql } from 'drizzle-orm';
import type { VerdictKind } from '../../domain/verdict.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import { countRejected } from '../findings-rejected.ts';
import type { CatalogKey } from '../ledger.ts';
import type { RoundCounts } from '../records.ts';
import { rowChunks } from './running.ts';
import { snapshotCounts } from './snapshot.ts';

/** What a round has seen so far, and the findings of its catalog as they are now. */
export async function countRound(db: LedgerDatabase, round: string, catalog: CatalogKey): Promise<RoundCounts> {
  const verdicts: Partial<Record<VerdictKind, number>> = {};
  for await (const { from, to } of rowChunks(db, round)) {
    const groups = await rowsOf<{ verdict: VerdictKind; count: number }>(
      db,
      sql`
        select verdict, count(*)::int as count from verdicts
        where round = ${round} and row >= ${from} and row < ${to} group by verdict`,
    );
    for (const { verdict, count } of groups) verdicts[verdict] = (verdicts[verdict] ?? 0) + count;
  }
  const { open, due } = await countFindings(db, catalog);
  return { ...(await snapshotCounts(db, round)), verdicts, open, due };
}

/**
 * Open findings that nobody rejected, those of them that auto-remove may act on, and the rejected ones. The many are
 * walked over in bites, the few have an index.
 */
export async function countFindings(
  db: LedgerDatabase,
  catalog: CatalogKey,
): Promise<{ readonly open: number; readonly due: number; readonly rejected: number }> {
  const [counted] = await rowsOf<{ due: number }>(
    db,
    sql`
      select count(*)::int as due from findings
      where catalog = ${catalog} and state = 'open' and standing ->> 'due' = 'true'`,
  );
  const { rejected, due } = await countRejected(db, catalog);
  return { open: (await countOpen(db, catalog)) - rejected, due: (counted?.due ?? 0) - due, rejected };
}

async function countOpen(db: LedgerDatabase, catalog: CatalogKey): Promise<number> {
  for (let passed = 0, path = '', id = ''; ; passed += rowsAStatement) {
    const rest = sql`
      from findings where catalog = ${catalog} and state = 'open' and (path, id) > (${path}::text, ${id}::text)`;
    const [last] = await rowsOf<{ path: string; id: string }>(
      db,
      sql`select path, id ${rest} order by path, id offset ${rowsAStatement - 1} limit 1`,
    );
    if (last === undefined) {
      const [counted] = await rowsOf<{ count: number }>(db, sql`select count(*)::int as count ${rest}`);
      return passed + (counted?.count ?? 0);
    }
    ({ path, id } = last);
  }
}

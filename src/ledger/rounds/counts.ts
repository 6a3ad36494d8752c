import { sql } from 'drizzle-orm';
import type { VerdictKind } from '../../domain/verdict.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
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
  return { ...(await snapshotCounts(db, round)), verdicts, ...(await countFindings(db, catalog)) };
}

/** Open findings, and those that auto-remove may act on. */
export async function countFindings(
  db: LedgerDatabase,
  catalog: CatalogKey,
): Promise<{ readonly open: number; readonly due: number }> {
  let open = 0;
  let due = 0;
  for (let after = ''; ; ) {
    const [chunk] = await rowsOf<{ open: number; due: number; last: string | null }>(
      db,
      sql`
        select count(*)::int as open, (count(*) filter (where due))::int as due, max(entity) as last
        from (
          select entity, (standing ->> 'due')::boolean as due from findings
          where catalog = ${catalog} and state = 'open' and entity > ${after}
          order by entity limit ${rowsAStatement}
        ) chunk`,
    );
    open += chunk?.open ?? 0;
    due += chunk?.due ?? 0;
    if (chunk === undefined || chunk.last === null || chunk.open < rowsAStatement) return { open, due };
    after = chunk.last;
  }
}

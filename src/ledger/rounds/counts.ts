import { sql } from 'drizzle-orm';
import type { VerdictKind } from '../../domain/verdict.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import type { RoundCounts } from '../records.ts';
import { rowChunks } from './running.ts';

/** What a round has seen so far, and the findings of its catalog as they are now. */
export async function countRound(db: LedgerDatabase, round: string, catalog: CatalogKey): Promise<RoundCounts> {
  let registrations = 0;
  let eligible = 0;
  const verdicts: Partial<Record<VerdictKind, number>> = {};
  for await (const { from, to } of rowChunks(db, round)) {
    const groups = await rowsOf<{ verdict: VerdictKind | null; registrations: number; eligible: number }>(
      db,
      sql`
        select v.verdict, count(*)::int as registrations, (count(*) filter (where s.mark = 'probe'))::int as eligible
        from snapshot s left join verdicts v on v.round = ${round} and v.row = s.row
          and v.row >= ${from} and v.row < ${to}
        where s.round = ${round} and s.row >= ${from} and s.row < ${to}
        group by v.verdict`,
    );
    for (const group of groups) {
      registrations += group.registrations;
      eligible += group.eligible;
      if (group.verdict !== null) verdicts[group.verdict] = (verdicts[group.verdict] ?? 0) + group.registrations;
    }
  }
  return { registrations, eligible, verdicts, ...(await countFindings(db, catalog)) };
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

import { sql } from 'drizzle-orm';
import { type Path, pathText } from '../../domain/path.ts';
import type { EntityKind } from '../../domain/registration.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { AbsentRow } from '../ledger.ts';
import { readPath } from '../rows.ts';
import { knownRound } from './round-record.ts';
import { listingOf } from './running.ts';

interface AbsentColumns {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: string;
  readonly probed_at: number | string;
  readonly first_missed_at: number | string | null;
  readonly removed: boolean;
}

/**
 * Absent rows in order of path. A registration is gone where a removal since this round began took it out, itself or
 * with its container; one that came back under its old id is not.
 */
export async function absentRows(
  db: LedgerDatabase,
  round: string,
  query: { readonly kind?: EntityKind; readonly after?: Path; readonly limit: number },
): Promise<readonly AbsentRow[]> {
  const { catalog, startedAt } = await knownRound(db, round);
  const found: AbsentRow[] = [];
  for (let after = query.after === undefined ? '' : pathText(query.after); found.length < query.limit; ) {
    const window = await nextWindow(db, round, after);
    if (window === undefined) break;
    const rows = await rowsOf<AbsentColumns>(
      db,
      sql`
        select s.entity, s.kind, s.path, v.probed_at,
          coalesce(listed.standing ->> 'firstMissedAt', opened.standing ->> 'firstMissedAt')::bigint
            as first_missed_at,
          listed.closed_why in ('removed', 'already-gone') is true or exists (
            select from removals r
            where r.catalog = ${catalog} and r.at >= ${startedAt} and r.entity = s.entity
              and r.outcome in ('removed', 'already-gone')
          ) as removed
        from verdicts v
        cross join lateral ${listingOf(round)} s
        left join findings listed on listed.id = s.finding
        left join findings opened on opened.catalog = ${catalog} and opened.entity = s.entity
          and opened.state = 'open'
        where v.round = ${round} and v.path is not null and v.path > ${after} and v.path <= ${window}
          and v.verdict = 'absent' ${query.kind === undefined ? sql`` : sql`and s.kind = ${query.kind}`}
        order by v.path limit ${query.limit - found.length}`,
    );
    for (const row of rows) found.push(readAbsent(row));
    after = window;
  }
  return found;
}

/** Where the statement after this one stops, so that a rare kind is not searched for among everything at once. */
async function nextWindow(db: LedgerDatabase, round: string, after: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ last: string | null }>(
    db,
    sql`
      select max(path) as last from (
        select path from verdicts where round = ${round} and path is not null and path > ${after}
        order by path limit ${rowsAStatement}
      ) chunk`,
  );
  return row?.last ?? undefined;
}

function readAbsent(row: AbsentColumns): AbsentRow {
  return {
    entity: row.entity,
    kind: row.kind,
    path: readPath(row.path),
    probedAt: Number(row.probed_at),
    ...(row.first_missed_at === null ? {} : { firstMissedAt: Number(row.first_missed_at) }),
    removed: row.removed,
  };
}

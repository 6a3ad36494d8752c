import { type SQL, sql } from 'drizzle-orm';
import type { RowRange } from '../../domain/lanes.ts';
import type { EntityKind, ObjectKind } from '../../domain/registration.ts';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import type { CatalogKey, TargetRow, VerdictRow } from '../ledger.ts';
import { readPath } from '../rows.ts';
import { identityOf, orTaken, runningRound, superseded } from './running.ts';
import { type VerdictBatch, verdictBatch } from './verdict-batch.ts';

export interface TargetColumns {
  readonly row: number;
  readonly path: string;
  readonly kind: EntityKind;
  readonly location: string | null;
  readonly known_found: ObjectKind | null;
  readonly known_uid: string | null;
}

/**
 * Row numbers have no gaps, so a statement looks at as many of them as it may answer with. A limit over an open range
 * would leave it to the database to find the first ones, and it may sort a whole lane for each page.
 */
export async function targets(
  db: LedgerDatabase,
  round: string,
  catalog: CatalogKey,
  range: RowRange,
  limit: number,
): Promise<readonly TargetRow[]> {
  const found: TargetRow[] = [];
  for (let from = range.from; from < range.to && found.length < limit; from += limit) {
    const rows = await rowsOf<TargetColumns>(
      db,
      sql`
        select s.row, s.path, s.kind, s.location, i.found as known_found, i.uid as known_uid
        from (
          select row, entity, path, kind, location from snapshot
          where round = ${round} and row >= ${from} and row < ${Math.min(from + limit, range.to)} and mark = 'probe'
          order by row limit ${limit - found.length}
        ) s left join lateral ${identityOf(catalog)} i on true
        order by s.row`,
    );
    for (const row of rows) found.push(readTarget(row));
  }
  return found;
}

/**
 * A first writing needs no look for what is there already, and is a quarter quicker without; only where something is,
 * after a broken-off attempt or to settle what a first answer left open, rows are overwritten.
 */
export async function recordVerdicts(db: LedgerDatabase, round: string, rows: readonly VerdictRow[]): Promise<void> {
  if (rows.length === 0) return;
  const batch = verdictBatch(rows);
  const none = sql`not exists (
    select from verdicts where round = ${round} and row >= ${batch.first} and row <= ${batch.last})`;
  const first = await orTaken(write(db, round, batch, { where: none, conflict: sql`` }));
  if (first === 'written') return;
  const overwrite = sql`
    on conflict (round, row) do update set
      path = excluded.path, verdict = excluded.verdict, code = excluded.code, found = excluded.found,
      uid = excluded.uid, moved_to = excluded.moved_to, taken = excluded.taken, evidence = excluded.evidence,
      fresh = excluded.fresh, probed_at = excluded.probed_at`;
  await write(db, round, batch, { where: sql`true`, conflict: overwrite });
}

async function write(
  db: LedgerDatabase,
  round: string,
  batch: VerdictBatch,
  how: { readonly where: SQL; readonly conflict: SQL },
): Promise<'written' | 'taken'> {
  const [answer] = await rowsOf<{ running: number; written: number }>(
    db,
    sql`
      with ${runningRound(round)}, proofs as (
        insert into evidence (digest, body)
        select p.digest, p.body::jsonb
        from running cross join json_to_recordset(${batch.proofs}::json) as p (digest text, body text)
        on conflict (digest) do nothing
      ), written as (
        insert into verdicts (round, row, path, verdict, code, found, uid, moved_to, taken, evidence, fresh, probed_at)
        select ${round}, v.row,
          case when s.verdict not in ('present', 'unknown') then
            (select listed.path from snapshot listed where listed.round = ${round} and listed.row = v.row)
          end,
          s.verdict, s.code, s.found, v.uid, s.moved_to, s.taken, s.evidence, s.fresh, v.at
        from running
        cross join unnest(${batch.rows}::int[], ${batch.uids}::text[], ${batch.times}::bigint[], ${batch.shapes}::int[])
          as v (row, uid, at, shape)
        join json_to_recordset(${batch.shapeList}::json) as s
          (shape int, verdict text, code text, found text, moved_to text, taken boolean, evidence text, fresh boolean)
          on s.shape = v.shape
        where ${how.where}
        ${how.conflict}
        returning 1
      )
      select (select count(*) from running)::int as running, (select count(*) from written)::int as written`,
  );
  if (answer?.running !== 1) throw superseded(round);
  return answer.written > 0 ? 'written' : 'taken';
}

/** One for each registration of a round, so nothing is spread. */
export function readTarget({
  row,
  path,
  kind,
  location,
  known_found: found,
  known_uid: uid,
}: TargetColumns): TargetRow {
  const target: TargetRow =
    location === null ? { row, path: readPath(path), kind } : { row, path: readPath(path), kind, location };
  return found === null ? target : Object.assign(target, { remembered: uid === null ? { found } : { found, uid } });
}

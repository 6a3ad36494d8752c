import { type SQL, sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { pathText } from '../../domain/path.ts';
import { constraintOf, type LedgerDatabase, rowsOf } from '../database.ts';
import type { SnapshotRow } from '../ledger.ts';
import { orTaken, rowChunks, runningRound, superseded } from './running.ts';

/**
 * One parameter for all rows: as quick as any other way on both drivers. Each row takes along the finding that is open
 * on it, so that judging need not search for them afterwards. Only after a broken-off attempt some rows are there.
 */
export async function appendSnapshot(db: LedgerDatabase, round: string, rows: readonly SnapshotRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = JSON.stringify(rows.map(rowColumns));
  const numbers = rows.map(({ row }) => row);
  const none = sql`not exists (
    select from snapshot where round = ${round} and row >= ${Math.min(...numbers)} and row <= ${Math.max(...numbers)})`;
  const first = await orTaken(write(db, round, values, { where: none, conflict: sql`` }));
  if (first === 'written') return;
  await write(db, round, values, { where: sql`true`, conflict: sql`on conflict (round, row) do nothing` }).catch(
    (error: unknown) => {
      throw constraintOf(error) === 'snapshot_by_path' ? listedTwice(round, error) : error;
    },
  );
}

/** Written out: taking a row apart by rest and spread costs more than all else that is done with it here. */
function rowColumns({ row, entity, kind, path, version, createdAt, mark, location }: SnapshotRow) {
  return { row, entity, kind, path: pathText(path), version, at: createdAt, mark, location };
}

async function write(
  db: LedgerDatabase,
  round: string,
  values: string,
  how: { readonly where: SQL; readonly conflict: SQL },
): Promise<'written' | 'taken'> {
  const [answer] = await rowsOf<{ running: number; written: number }>(
    db,
    sql`
      with ${runningRound(round)}, written as (
        insert into snapshot (round, row, entity, kind, path, version, created_at, mark, location, finding)
        select ${round}, r.row, r.entity, r.kind, r.path, r.version, r.at, r.mark, r.location, f.id
        from running
        cross join json_to_recordset(${values}::json) as r
          (row int, entity text, kind text, path text, version text, at bigint, mark text, location text)
        left join findings f on f.catalog = running.catalog and f.entity = r.entity and f.state = 'open'
        where ${how.where}
        ${how.conflict}
        returning 1
      )
      select (select count(*) from running)::int as running, (select count(*) from written)::int as written`,
  );
  if (answer?.running !== 1) throw superseded(round);
  return answer.written > 0 ? 'written' : 'taken';
}

export async function resetSnapshot(db: LedgerDatabase, round: string): Promise<void> {
  for await (const { from, to } of rowChunks(db, round)) {
    const [answer] = await rowsOf<{ running: number }>(
      db,
      sql`
        with ${runningRound(round)}, unprobed as (
          delete from verdicts v using running
          where v.round = ${round} and v.row >= ${from} and v.row < ${to}
        ), unlisted as (
          delete from snapshot s using running
          where s.round = ${round} and s.row >= ${from} and s.row < ${to}
        )
        select count(*)::int as running from running`,
    );
    if (answer?.running !== 1) throw superseded(round);
  }
}

export async function snapshotCounts(
  db: LedgerDatabase,
  round: string,
): Promise<{ readonly registrations: number; readonly eligible: number }> {
  let registrations = 0;
  let eligible = 0;
  for await (const { from, to } of rowChunks(db, round)) {
    const [chunk] = await rowsOf<{ registrations: number; eligible: number }>(
      db,
      sql`
        select count(*)::int as registrations, (count(*) filter (where mark = 'probe'))::int as eligible
        from snapshot where round = ${round} and row >= ${from} and row < ${to}`,
    );
    registrations += chunk?.registrations ?? 0;
    eligible += chunk?.eligible ?? 0;
  }
  return { registrations, eligible };
}

/** The registry's listing moved under its own cursor, so nothing proves that it is whole. */
function listedTwice(round: string, cause: unknown): ReconcilerFailure {
  return new ReconcilerFailure(
    'SnapshotIncomplete',
    'listed-twice',
    `the registry listed one registration twice in round ${round}`,
    { cause },
  );
}

import { sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { pathText } from '../../domain/path.ts';
import { constraintOf, type LedgerDatabase, rowsOf } from '../database.ts';
import type { SnapshotRow } from '../ledger.ts';
import { toJsonText } from '../json-text.ts';
import { rowChunks, runningRound, superseded } from './running.ts';

/**
 * One parameter for all rows: it is the quickest on both drivers, and the same text for every batch. Each row takes
 * along the finding that is open on it, so that judging need not search for them afterwards.
 */
export async function appendSnapshot(db: LedgerDatabase, round: string, rows: readonly SnapshotRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = toJsonText(rows.map((row) => ({ ...row, path: pathText(row.path), created: row.createdAt })));
  const [answer] = await listed(
    round,
    rowsOf<{ running: number }>(
      db,
      sql`
        with ${runningRound(round)}, added as (
          insert into snapshot (round, row, entity, kind, path, version, created_at, mark, finding)
          select ${round}, r.row, r.entity, r.kind, r.path, r.version, r.created, r.mark, f.id
          from running
          cross join json_to_recordset(${values}::json) as r
            (row int, entity text, kind text, path text, version text, created bigint, mark text)
          left join findings f on f.catalog = running.catalog and f.entity = r.entity and f.state = 'open'
          on conflict (round, row) do nothing
        )
        select count(*)::int as running from running`,
    ),
  );
  if (answer?.running !== 1) throw superseded(round);
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

/** Two rows of one path: the registry's listing moved under its own cursor, so nothing proves that it is whole. */
async function listed<T>(round: string, adding: Promise<T>): Promise<T> {
  try {
    return await adding;
  } catch (error) {
    if (constraintOf(error) !== 'snapshot_by_path') throw error;
    throw new ReconcilerFailure(
      'SnapshotIncomplete',
      'listed-twice',
      `the registry listed one registration twice in round ${round}`,
      { cause: error },
    );
  }
}

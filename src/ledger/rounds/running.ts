import { type SQL, sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf, sqlStateOf, uniqueViolation } from '../database.ts';

/**
 * A `with` query that yields the catalog of the round while that is running, else nothing. It holds on to the round
 * until the statement ends, so that a newer round closes this one before or after what is written, never in between.
 */
export function runningRound(round: string): SQL {
  return sql`running as (select catalog from rounds where id = ${round} and state = 'running' for share)`;
}

/** The failure of work that goes on for a round which was closed meanwhile. */
export function superseded(round: string): ReconcilerFailure {
  return new ReconcilerFailure('RoundSuperseded', 'not-running', `round ${round} is no longer running`);
}

/*
 * Joins to the row of the same number, always by its key. Snapshots and verdicts come and go by the hundred thousand, so
 * what the database believes about them is often of another day (PGlite never learns anything), and it once compared
 * every row with every other. The offset keeps it from choosing.
 */

/** The verdict on `s`, a row of the snapshot. */
export function verdictOf(round: string): SQL {
  return sql`(select * from verdicts where round = ${round} and row = s.row offset 0)`;
}

/** The snapshot's row of `v`, a verdict. */
export function listingOf(round: string): SQL {
  return sql`(select * from snapshot where round = ${round} and row = v.row offset 0)`;
}

/** The remembered identity of `s`, a row of the snapshot. */
export function identityOf(catalog: string): SQL {
  return sql`(select * from identities where catalog = ${catalog} and entity = s.entity offset 0)`;
}

/** Whether a removal in the round's catalog took this entity before, by itself or with its container. */
export function wasRemoved(round: string, entity: SQL): SQL {
  // ids mean something within their catalog only
  return sql`exists (
    select from saved_attachments a join removals r on r.id = a.intent and r.outcome = 'removed' and r.action = 'remove'
    where a.entity = ${entity} and r.catalog = (select catalog from rounds where id = ${round})
  )`;
}

/** Half-open ranges of row numbers that together hold the whole snapshot, each small enough for one statement. */
export async function* rowChunks(
  db: LedgerDatabase,
  round: string,
): AsyncGenerator<{ readonly from: number; readonly to: number }> {
  const [last] = await rowsOf<{ row: number }>(
    db,
    sql`select row from snapshot where round = ${round} order by row desc limit 1`,
  );
  const end = last === undefined ? 0 : last.row + 1;
  for (let from = 0; from < end; from += rowsAStatement) yield { from, to: from + rowsAStatement };
}

/** Another attempt may write the same rows at the same moment; then they are there. */
export async function orTaken(writing: Promise<'written' | 'taken'>): Promise<'written' | 'taken'> {
  try {
    return await writing;
  } catch (error) {
    if (sqlStateOf(error) === uniqueViolation) return 'taken';
    throw error;
  }
}

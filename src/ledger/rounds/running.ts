import { type SQL, sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';

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

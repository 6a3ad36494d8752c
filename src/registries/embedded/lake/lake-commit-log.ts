import { and, eq, lt, sql } from 'drizzle-orm';
import type { CommitLog, CommitLogChange } from '../../../delta/commits/commit-log.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { trackedCommits } from './lake-rows.ts';
import { lakeCommits, lakePastCommits } from './lake-schema.ts';

/** A lost answer is asked for again within minutes; a table has not had a thousand commits by then. */
const pastVersionsKept = 1_000n;

/** The tracked commits of one table, in the transaction of its unit of work. */
export function lakeCommitLog(tx: EmbeddedDatabase, entityId: string): CommitLog {
  const ofTable = eq(lakeCommits.entityId, entityId);

  async function remove(upTo: bigint): Promise<void> {
    await tx.execute(sql`
      with gone as (delete from ${lakeCommits} c where c.entity_id = ${entityId} and c.version <= ${upTo}
        returning c.entity_id, c.version, c.file_name)
      insert into ${lakePastCommits} (entity_id, version, file_name)
      select entity_id, version, file_name from gone on conflict do nothing`);
    await tx
      .delete(lakePastCommits)
      .where(and(eq(lakePastCommits.entityId, entityId), lt(lakePastCommits.version, upTo - pastVersionsKept)));
  }

  async function insert(commit: NonNullable<CommitLogChange['insert']>): Promise<boolean> {
    const inserted = await tx
      .insert(lakeCommits)
      .values({ entityId, ...commit })
      .onConflictDoNothing()
      .returning({ version: lakeCommits.version });
    return inserted.length === 1;
  }

  return {
    tracked: () => trackedCommits(tx, entityId),
    async fileNameOf(version) {
      const [row] = await tx
        .select({ fileName: lakePastCommits.fileName })
        .from(lakePastCommits)
        .where(and(eq(lakePastCommits.entityId, entityId), eq(lakePastCommits.version, version)));
      return row?.fileName;
    },
    async apply(change) {
      if (change.insert !== undefined && !(await insert(change.insert))) return false;
      if (change.removeUpTo !== undefined) await remove(change.removeUpTo);
      if (change.markBackfilled !== undefined) {
        await tx
          .update(lakeCommits)
          .set({ backfilled: true })
          .where(and(ofTable, eq(lakeCommits.version, change.markBackfilled)));
      }
      return true;
    },
  };
}

import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement } from './database.ts';
import type { RestoreLedger, SavedEntity } from './ledger.ts';
import { restoreOf, restoreRecord } from './restores-record.ts';
import { requestRestore } from './restores-request.ts';
import { settleRestore } from './restores-settle.ts';
import { readPath } from './rows.ts';
import { restores, savedAttachments } from './schema.ts';

export function createRestoreLedger(db: LedgerDatabase): RestoreLedger {
  return {
    request: (input) => requestRestore(db, input),
    restore: (id) => restoreOf(db, id),
    async ofRemoval(removal) {
      const rows = await db
        .select()
        .from(restores)
        .where(eq(restores.removal, removal))
        .orderBy(desc(restores.at), desc(restores.id));
      return rows.map(restoreRecord);
    },
    saved: (removal) => saved(db, removal),
    settle: (input) => settleRestore(db, input),
  };
}

async function saved(db: LedgerDatabase, removal: string): Promise<readonly SavedEntity[]> {
  const found: SavedEntity[] = [];
  for (let after = ''; ; ) {
    const rows = await db
      .select()
      .from(savedAttachments)
      .where(and(eq(savedAttachments.intent, removal), gt(savedAttachments.entity, after)))
      .orderBy(asc(savedAttachments.entity))
      .limit(rowsAStatement);
    for (const { entity, kind, path, version, body } of rows) {
      found.push({ entity, kind, path: readPath(path), version, body });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAStatement) return found.sort(byPath);
    after = last.entity;
  }
}

/** Containers before what is inside them. */
function byPath(a: SavedEntity, b: SavedEntity): number {
  return a.path.length - b.path.length || (a.path.join('/') < b.path.join('/') ? -1 : 1);
}

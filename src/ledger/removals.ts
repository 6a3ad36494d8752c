import { and, asc, desc, eq, gt, lt, or } from 'drizzle-orm';
import { catalogRow } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import type { ReadPattern, RemovalLedger } from './ledger.ts';
import { openIntent, openIntentOf } from './removals-intent.ts';
import { identitiesOf, judgedInside, saveAttachments } from './removals-last-look.ts';
import { removedSoFar } from './removals-limits.ts';
import { next } from './removals-next.ts';
import { removalRecord } from './removals-record.ts';
import { settle } from './removals-settle.ts';
import { removals } from './schema.ts';

export function createRemovalLedger(db: LedgerDatabase, readPattern: ReadPattern): RemovalLedger {
  return {
    next: (catalog, now) => next(db, catalog, now, readPattern),
    openIntent: (input) => openIntent(db, input, readPattern),
    openIntentOf: (catalog) => openIntentOf(db, catalog),
    saveAttachments: (intent, entities) => saveAttachments(db, intent, entities),
    judgedInside: (catalog, container) => judgedInside(db, catalog, container),
    identitiesOf: (catalog, entities) => identitiesOf(db, catalog, entities),
    settle: (input) => settle(db, input),
    async page({ catalog, after, limit }) {
      const rows = await db
        .select()
        .from(removals)
        .where(
          and(
            eq(removals.catalog, catalog),
            after === undefined
              ? undefined
              : or(lt(removals.at, after.at), and(eq(removals.at, after.at), gt(removals.id, after.id))),
          ),
        )
        .orderBy(desc(removals.at), asc(removals.id))
        .limit(limit);
      return rows.map(removalRecord);
    },
    async removed(catalog, now) {
      const row = await catalogRow(db, catalog);
      return row === undefined ? { inRound: 0, inDay: 0 } : removedSoFar(db, row, now);
    },
    async removal(id) {
      const [row] = await db.select().from(removals).where(eq(removals.id, id));
      return row === undefined ? undefined : removalRecord(row);
    },
  };
}

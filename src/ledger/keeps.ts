import { and, desc, eq } from 'drizzle-orm';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import type { KeepPatternRow } from './keeps-in-force.ts';
import { keepWhatMatches } from './keeps-matching.ts';
import type { KeepLedger, ReadPattern, StandingKeep } from './ledger.ts';
import { decisions, keepPatterns } from './schema.ts';

type Order = Parameters<KeepLedger['order']>[0];
type End = Parameters<KeepLedger['end']>[0];

export function createKeepLedger(db: LedgerDatabase, read: ReadPattern): KeepLedger {
  return {
    order: (input) => db.transaction((tx) => order(tx, input, read)),
    end: (input) => db.transaction((tx) => end(tx, input, read)),
    async list(catalog, limit, now) {
      const rows = await db
        .select()
        .from(keepPatterns)
        .where(eq(keepPatterns.catalog, catalog))
        .orderBy(desc(keepPatterns.at), desc(keepPatterns.id))
        .limit(limit);
      return rows.map((row) => standingKeep(row, now));
    },
  };
}

/** Under the lock that intents take, so that none is opened on what is about to be kept. */
async function order(tx: LedgerDatabase, input: Order, read: ReadPattern): ReturnType<KeepLedger['order']> {
  const { id, catalog, pattern, actor, reason, keepUntil, now } = input;
  await lockCatalog(tx, catalog);
  const known = await orderRow(tx, input);
  if (known !== undefined) return { keep: standingKeep(known, now), kept: await countKept(tx, id) };
  const [row] = await tx
    .insert(keepPatterns)
    .values({ id, catalog, pattern, actor, reason, at: now, keepUntil })
    .returning();
  if (row === undefined) throw new Error(`keep ${id} was inserted, yet is not there`);
  const kept = await keepWhatMatches(tx, catalog, now, read);
  await writeAudit(tx, {
    at: now,
    catalog,
    actor,
    action: 'keep-ordered',
    subject: id,
    detail: {
      pattern,
      kept,
      ...(reason === undefined ? {} : { reason }),
      ...(keepUntil === undefined ? {} : { keepUntil }),
    },
  });
  return { keep: standingKeep(row, now), kept };
}

async function end(tx: LedgerDatabase, input: End, read: ReadPattern): ReturnType<KeepLedger['end']> {
  const { id, catalog, actor, now } = input;
  await lockCatalog(tx, catalog);
  const known = await orderRow(tx, input);
  if (known === undefined) return undefined;
  if (known.endedAt !== null) return { keep: standingKeep(known, now), released: 0 };
  const [row] = await tx
    .update(keepPatterns)
    .set({ endedAt: now, endedBy: actor })
    .where(eq(keepPatterns.id, id))
    .returning();
  const ofTheOrder = and(eq(decisions.catalog, catalog), eq(decisions.pattern, id));
  const released = await endDecisions(tx, ofTheOrder, { state: 'void', why: 'keep-taken-back', now });
  await keepWhatMatches(tx, catalog, now, read);
  const detail = { pattern: known.pattern, released };
  await writeAudit(tx, { at: now, catalog, actor, action: 'keep-taken-back', subject: id, detail });
  return { keep: standingKeep(row ?? known, now), released };
}

async function orderRow(
  tx: LedgerDatabase,
  { id, catalog }: Pick<Order, 'id' | 'catalog'>,
): Promise<KeepPatternRow | undefined> {
  const [row] = await tx
    .select()
    .from(keepPatterns)
    .where(and(eq(keepPatterns.id, id), eq(keepPatterns.catalog, catalog)));
  return row;
}

function countKept(tx: LedgerDatabase, id: string): Promise<number> {
  return tx.$count(decisions, eq(decisions.pattern, id));
}

function standingKeep(row: KeepPatternRow, now: number): StandingKeep {
  const { id, catalog, pattern, actor, reason, at, keepUntil, endedAt, endedBy } = row;
  const isOver = keepUntil !== null && keepUntil <= now;
  return {
    id,
    catalog,
    pattern,
    actor,
    ...(reason === null ? {} : { reason }),
    at,
    ...(keepUntil === null ? {} : { keepUntil }),
    state: endedAt !== null ? 'ended' : isOver ? 'expired' : 'active',
    ...(endedAt === null ? {} : { ended: { at: endedAt, by: endedBy ?? actor } }),
  };
}

import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import { restoreKeepMs, restoreRefusal } from '../domain/restore.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import type { RequestAnswer, RequestRestore, RestoreRecord } from './ledger.ts';
import { restoreOf, restoreRecord } from './restores-record.ts';
import { shownPath } from './rows.ts';
import { decisions, removals, restores, savedAttachments, transitions } from './schema.ts';

/** Eleven values a row, and a statement carries 65,535 at most. */
const keepsAnInsert = 5_000;

type RemovalRow = typeof removals.$inferSelect;

export async function requestRestore(db: LedgerDatabase, input: RequestRestore): Promise<RequestAnswer> {
  const { id, catalog } = input;
  return db.transaction(async (tx): Promise<RequestAnswer> => {
    await lockCatalog(tx, catalog);
    const earlier = await restoreOf(tx, id);
    if (earlier !== undefined) {
      if (earlier.removal === input.removal) return { answer: 'requested', restore: earlier };
      const hint = 'This key asked for another removal to be undone. Send the request with a new key.';
      return { answer: 'refused', reason: 'key-reused', hint };
    }
    const [removal] = await tx
      .select()
      .from(removals)
      .where(and(eq(removals.id, input.removal), eq(removals.catalog, catalog)));
    const before = await tx.select().from(restores).where(eq(restores.removal, input.removal));
    const running = before.find(({ state }) => state === 'requested');
    if (running !== undefined) return { answer: 'requested', restore: restoreRecord(running) };
    const refusal = restoreRefusal({
      removal: removal === undefined ? undefined : { ...removal, path: shownPath(removal.path) },
      restored: before.some(({ outcome }) => outcome === 'restored'),
      saved: removal !== undefined && (await isSaved(tx, removal)),
      canRestore: input.canRestore,
    });
    if (removal === undefined || refusal !== undefined) {
      return { answer: 'refused', ...(refusal ?? { reason: 'no-such-removal', hint: '' }) };
    }
    return { answer: 'requested', restore: await record(tx, removal, input) };
  });
}

async function isSaved(tx: LedgerDatabase, { id, entity }: RemovalRow): Promise<boolean> {
  const [row] = await tx
    .select({ entity: savedAttachments.entity })
    .from(savedAttachments)
    .where(and(eq(savedAttachments.intent, id), eq(savedAttachments.entity, entity)));
  return row !== undefined;
}

async function record(
  tx: LedgerDatabase,
  removal: RemovalRow,
  { id, catalog, actor, reason, now }: RequestRestore,
): Promise<RestoreRecord> {
  const [row] = await tx
    .insert(restores)
    .values({ id, catalog, removal: removal.id, actor, reason, at: now, state: 'requested' })
    .returning();
  if (row === undefined) throw new Error(`restore ${id} was written, yet cannot be read`);
  const keepUntil = now + restoreKeepMs;
  const keeps = await keepAll(tx, removal, { ...row, keepUntil });
  await tx.insert(transitions).values({
    finding: removal.finding,
    at: now,
    what: 'restore-requested',
    detail: { restore: id, removal: removal.id, actor: actor.name, keepUntil },
  });
  await writeAudit(tx, {
    at: now,
    catalog,
    actor,
    action: 'restore-requested',
    subject: id,
    detail: {
      removal: removal.id,
      path: removal.path,
      entities: keeps,
      keepUntil,
      ...(reason === undefined ? {} : { reason }),
    },
  });
  return restoreRecord(row);
}

/** A keep is on the entity: it holds for whatever finding a later round opens. */
async function keepAll(
  tx: LedgerDatabase,
  removal: RemovalRow,
  restore: typeof restores.$inferSelect & { readonly keepUntil: number },
): Promise<number> {
  const { id, catalog, actor, at, keepUntil } = restore;
  for (let after = '', total = 0; ; ) {
    const rows = await tx
      .select({ entity: savedAttachments.entity })
      .from(savedAttachments)
      .where(and(eq(savedAttachments.intent, removal.id), gt(savedAttachments.entity, after)))
      .orderBy(asc(savedAttachments.entity))
      .limit(keepsAnInsert);
    const last = rows.at(-1);
    if (last === undefined) return total;
    await tx.insert(decisions).values(
      rows.map(({ entity }) => ({
        id: randomUUID(),
        catalog,
        finding: removal.finding,
        entity,
        digest: '',
        action: 'keep' as const,
        actor,
        reason: `restored (${id})`,
        requestKey: `${id}/${entity}`, // tells the keeps of one restore from all other decisions
        at,
        keepUntil,
        state: 'active' as const,
      })),
    );
    total += rows.length;
    after = last.entity;
  }
}

import { and, desc, eq, isNull } from 'drizzle-orm';
import { isSamePerson } from '../domain/four-eyes.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import type { ApproveOverrideAnswer, CatalogKey, DecisionLedger, OverrideRecord } from './ledger.ts';
import { overrides } from './schema.ts';

type OverrideRow = typeof overrides.$inferSelect;
type Approve = Parameters<DecisionLedger['approveOverride']>[0];

/** The second pair of eyes: only then a requested override admits anything. */
export async function approveOverride(db: LedgerDatabase, input: Approve): Promise<ApproveOverrideAnswer> {
  const { id, catalog, actor, now } = input;
  return db.transaction(async (tx): Promise<ApproveOverrideAnswer> => {
    await lockCatalog(tx, catalog);
    const [row] = await tx
      .select()
      .from(overrides)
      .where(and(eq(overrides.id, id), eq(overrides.catalog, catalog)));
    if (row === undefined) return { answer: 'refused', reason: 'no-such-override' };
    if (row.state === 'active') return { answer: 'approved', override: overrideRecord(row, now) };
    const reason = isSamePerson(row.actor, actor) ? 'same-person' : row.expiresAt <= now ? 'expired' : undefined;
    if (reason !== undefined) {
      const detail = { reason, requestedBy: row.actor.name };
      await writeAudit(tx, { at: now, catalog, actor, action: 'override-approval-refused', subject: id, detail });
      return { answer: 'refused', reason };
    }
    const [approved] = await tx
      .update(overrides)
      .set({ state: 'active', approvedBy: actor, approvedAt: now })
      .where(eq(overrides.id, id))
      .returning();
    const { maxCount, expiresAt, admits } = row;
    const detail = { requestedBy: row.actor.name, maxCount, expiresAt, admits: admits.length };
    await writeAudit(tx, { at: now, catalog, actor, action: 'override-approved', subject: id, detail });
    return { answer: 'approved', override: overrideRecord(approved ?? row, now) };
  });
}

export async function overridesOf(
  db: LedgerDatabase,
  catalog: CatalogKey,
  limit: number,
  now: number,
): Promise<readonly OverrideRecord[]> {
  const rows = await db
    .select()
    .from(overrides)
    .where(eq(overrides.catalog, catalog))
    .orderBy(desc(overrides.at), desc(overrides.id))
    .limit(limit);
  return rows.map((row) => overrideRecord(row, now));
}

/** Where four eyes are asked for from now on, what one person alone gave waits for another. */
export async function awaitSecondEyes(tx: LedgerDatabase, catalog: CatalogKey): Promise<void> {
  await tx
    .update(overrides)
    .set({ state: 'requested' })
    .where(and(eq(overrides.catalog, catalog), eq(overrides.state, 'active'), isNull(overrides.approvedBy)));
}

function overrideRecord(row: OverrideRow, now: number): OverrideRecord {
  const { id, actor, reason, admits, maxCount, used, at, expiresAt, approvedBy, approvedAt } = row;
  const state = expiresAt <= now ? 'expired' : row.state === 'active' && used >= maxCount ? 'used-up' : row.state;
  return {
    id,
    actor,
    reason,
    admits: admits.length,
    maxCount,
    used,
    at,
    expiresAt,
    state,
    ...(approvedBy === null || approvedAt === null ? {} : { approved: { by: approvedBy, at: approvedAt } }),
  };
}

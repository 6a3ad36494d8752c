import { desc, eq } from 'drizzle-orm';
import { ReconcilerFailure } from '../domain/failure.ts';
import { outcomeRules, presentsThatStop, tooManyPresents } from '../domain/removal.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import type { RemovalLedger, RemovalRecord } from './ledger.ts';
import { closeWithAllInside, leaveOpen } from './removals-outcome.ts';
import { removalRecord } from './removals-record.ts';
import { catalogs, findings, intents, removals } from './schema.ts';

type Settle = Parameters<RemovalLedger['settle']>[0];
type IntentRow = typeof intents.$inferSelect;

export async function settle(db: LedgerDatabase, input: Settle): Promise<RemovalRecord | undefined> {
  const { outcome, reason, now } = input;
  return db.transaction(async (tx) => {
    const { catalog } = await intentRow(tx, input.intent);
    const { stop: stopped } = await lockCatalog(tx, catalog);
    // Read again under the lock: another call may have settled it meanwhile.
    const intent = await intentRow(tx, input.intent);
    if (intent.state === 'settled') return removalOf(tx, intent.id);

    if (outcome === 'unknown') {
      if (stopped?.reason === outcome) return undefined;
      await stop(tx, catalog, outcome, now);
      await audit(tx, intent, input, 'unclear');
      return undefined;
    }
    await tx.update(intents).set({ state: 'settled', outcome, settledAt: now }).where(eq(intents.id, intent.id));
    const record = await insertRemoval(tx, intent, input);
    const rules = outcomeRules[outcome];
    if (rules.finding === 'closed') await closeWithAllInside(tx, intent, outcome, now);
    else await leaveOpen(tx, intent, { outcome, reason, rules, now });
    if (rules.stops) await stop(tx, catalog, outcome, now);
    // Only a new present can stop: after a person resumed, those before it are known.
    else if (outcome === 'present' && tooManyPresents(await latestOutcomes(tx, catalog))) {
      await stop(tx, catalog, 'too-many-present', now);
    }
    await audit(tx, intent, input, 'settled');
    return record;
  });
}

async function intentRow(tx: LedgerDatabase, id: string): Promise<IntentRow> {
  const [row] = await tx.select().from(intents).where(eq(intents.id, id));
  if (row === undefined) throw new ReconcilerFailure('InvalidRequest', 'no-such-intent', `no intent ${id} was opened`);
  return row;
}

async function removalOf(tx: LedgerDatabase, id: string): Promise<RemovalRecord | undefined> {
  const [row] = await tx.select().from(removals).where(eq(removals.id, id));
  return row === undefined ? undefined : removalRecord(row);
}

async function insertRemoval(
  tx: LedgerDatabase,
  { id, catalog, action, finding, entity, kind, path, movedTo, actor }: IntentRow,
  { outcome, reason, entities, now }: Settle,
): Promise<RemovalRecord> {
  const [seen] = await tx.select({ evidence: findings.evidence }).from(findings).where(eq(findings.id, finding));
  const row: typeof removals.$inferSelect = {
    id,
    catalog,
    action,
    finding,
    entity,
    kind,
    path,
    movedTo,
    actor,
    outcome,
    reason,
    entities,
    evidence: seen?.evidence ?? '',
    at: now,
  };
  await tx.insert(removals).values(row);
  return removalRecord(row);
}

async function latestOutcomes(
  tx: LedgerDatabase,
  catalog: string,
): Promise<readonly (typeof removals.$inferSelect)['outcome'][]> {
  const rows = await tx
    .select({ outcome: removals.outcome })
    .from(removals)
    .where(eq(removals.catalog, catalog))
    .orderBy(desc(removals.at), removals.id)
    .limit(presentsThatStop.among);
  return rows.map(({ outcome }) => outcome);
}

async function stop(tx: LedgerDatabase, catalog: string, reason: string, at: number): Promise<void> {
  await tx.update(catalogs).set({ stop: { reason, at } }).where(eq(catalogs.key, catalog));
}

async function audit(tx: LedgerDatabase, intent: IntentRow, input: Settle, what: 'settled' | 'unclear'): Promise<void> {
  const { outcome, reason, entities, now } = input;
  const { id, catalog, actor, finding, entity, path, movedTo, decision } = intent;
  await writeAudit(tx, {
    at: now,
    catalog,
    actor,
    action: `${intent.action === 'repoint' ? 'repoint' : 'removal'}-${what}`,
    subject: id,
    detail: {
      outcome,
      reason,
      entities,
      finding,
      entity,
      path,
      ...(movedTo === null ? {} : { movedTo }),
      ...(decision === null ? {} : { decision }),
    },
  });
}

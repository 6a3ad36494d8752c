import { and, eq, gt, lt } from 'drizzle-orm';
import { ReconcilerFailure } from '../domain/failure.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import type { RestoreLedger, RestoreRecord } from './ledger.ts';
import { restoreOf } from './restores-record.ts';
import { decisions, removals, restores, transitions } from './schema.ts';

type Settle = Parameters<RestoreLedger['settle']>[0];

export async function settleRestore(db: LedgerDatabase, input: Settle): Promise<RestoreRecord> {
  const { id, outcome, reason, warnings, entities, now } = input;
  return db.transaction(async (tx) => {
    const { catalog } = await wished(tx, id);
    await lockCatalog(tx, catalog);
    // Read again under the lock: another call may have settled it meanwhile.
    const wish = await wished(tx, id);
    if (wish.state === 'settled') return wish;
    await tx
      .update(restores)
      .set({ state: 'settled', outcome, outcomeReason: reason, warnings, entities, settledAt: now })
      .where(eq(restores.id, id));
    if (outcome === 'refused') await endKeeps(tx, wish, now);
    const { actor, removal } = wish;
    const [removed] = await tx.select().from(removals).where(eq(removals.id, removal));
    if (removed !== undefined) {
      const what = outcome === 'restored' ? 'restored' : 'not-restored';
      const detail = { restore: id, removal, reason, warnings: warnings.length };
      await tx.insert(transitions).values({ finding: removed.finding, at: now, what, detail });
    }
    await writeAudit(tx, {
      at: now,
      catalog,
      actor,
      action: 'restore-settled',
      subject: id,
      detail: { removal, path: removed?.path ?? '', outcome, reason, warnings, entities },
    });
    return wished(tx, id);
  });
}

/** What did not come back needs no protection. */
async function endKeeps(tx: LedgerDatabase, { id, catalog }: RestoreRecord, now: number): Promise<void> {
  const theirs = and(
    eq(decisions.catalog, catalog),
    eq(decisions.action, 'keep'),
    gt(decisions.requestKey, `${id}/`),
    lt(decisions.requestKey, `${id}0`), // the character after `/`
  );
  await endDecisions(tx, theirs, { state: 'void', why: 'not-restored', now });
}

async function wished(tx: LedgerDatabase, id: string): Promise<RestoreRecord> {
  const found = await restoreOf(tx, id);
  if (found === undefined) {
    throw new ReconcilerFailure('InvalidRequest', 'no-such-restore', `no restore ${id} was asked for`);
  }
  return found;
}

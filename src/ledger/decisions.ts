import { and, desc, eq } from 'drizzle-orm';
import type { LedgerDatabase } from './database.ts';
import { acceptSource, pause, resume } from './decisions-controls.ts';
import { decide } from './decisions-decide.ts';
import { type DecisionRow, inForce } from './decisions-in-force.ts';
import { override } from './decisions-override.ts';
import type { DecisionLedger, DecisionRecord, ReadPattern } from './ledger.ts';
import { approveOverride, overridesOf } from './overrides.ts';
import { decisions } from './schema.ts';

export function createDecisionLedger(db: LedgerDatabase, readPattern: ReadPattern): DecisionLedger {
  return {
    decide: (input) => decide(db, input, readPattern),
    async decisions(catalog, { finding, limit }, now) {
      const rows = await db
        .select()
        .from(decisions)
        .where(and(eq(decisions.catalog, catalog), finding === undefined ? undefined : eq(decisions.finding, finding)))
        .orderBy(desc(decisions.at), desc(decisions.id))
        .limit(limit);
      return rows.map((row) => decisionRecord(row, now));
    },
    override: (input) => override(db, input),
    approveOverride: (input) => approveOverride(db, input),
    overrides: (catalog, limit, now) => overridesOf(db, catalog, limit, now),
    pause: (catalog, why, actor) => pause(db, catalog, why, actor),
    resume: (catalog, actor, now, reason) => resume(db, catalog, actor, now, reason),
    acceptSource: (catalog, actor, reason, now) => acceptSource(db, catalog, actor, reason, now),
  };
}

/** `expired` is nowhere written: it is what an active decision becomes when its time is over. */
export function decisionRecord(row: DecisionRow, now: number): DecisionRecord {
  return {
    id: row.id,
    finding: row.finding,
    action: row.action,
    actor: row.actor,
    ...(row.reason === null ? {} : { reason: row.reason }),
    at: row.at,
    digest: row.digest,
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
    ...(row.keepUntil === null ? {} : { keepUntil: row.keepUntil }),
    ...(row.pattern === null ? {} : { standingKeep: row.pattern }),
    state: row.state === 'active' && !inForce(row, now) ? 'expired' : row.state,
    ...(row.stateWhy === null ? {} : { stateWhy: row.stateWhy }),
  };
}

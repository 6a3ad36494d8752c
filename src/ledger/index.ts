import { sql } from 'drizzle-orm';
import { createAuditLedger } from './audit.ts';
import { createCatalogLedger } from './catalogs.ts';
import { type LedgerDatabase, translating } from './database.ts';
import { createDecisionLedger } from './decisions.ts';
import { createFindingLedger } from './findings.ts';
import type { Ledger } from './ledger.ts';
import { createRemovalLedger } from './removals.ts';
import { createRoundLedger } from './rounds.ts';

/** The ledger over a database whose migrations have run. Who opened the database closes it. */
export function createLedger(db: LedgerDatabase): Ledger {
  const whole = translating({
    ping: async () => {
      await db.execute(sql`select 1`);
    },
  });
  return {
    ...whole,
    rounds: translating(createRoundLedger(db)),
    findings: translating(createFindingLedger(db)),
    decisions: translating(createDecisionLedger(db)),
    removals: translating(createRemovalLedger(db)),
    catalogs: translating(createCatalogLedger(db)),
    audit: translating(createAuditLedger(db)),
  };
}

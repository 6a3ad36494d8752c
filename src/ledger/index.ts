import { sql } from 'drizzle-orm';
import { createAuditLedger } from './audit.ts';
import { createCatalogLedger } from './catalogs.ts';
import { type LedgerDatabase, translating } from './database.ts';
import { createDecisionLedger } from './decisions.ts';
import { createFiguresLedger } from './figures.ts';
import { createFindingLedger } from './findings.ts';
import { createKeepLedger } from './keeps.ts';
import type { Ledger, ReadPattern } from './ledger.ts';
import { createRemovalLedger } from './removals.ts';
import { createRequestKeyLedger } from './request-keys.ts';
import { createRestoreLedger } from './restores.ts';
import { createRetentionLedger } from './retention.ts';
import { createRoundLedger } from './rounds.ts';

/**
 * The ledger over a database whose migrations have run. Who opened the database closes it.
 *
 * @param readPattern how the patterns of standing keeps are read
 */
export function createLedger(db: LedgerDatabase, readPattern: ReadPattern): Ledger {
  const whole = translating({
    ping: async () => {
      await db.execute(sql`select 1`);
    },
  });
  return {
    ...whole,
    rounds: translating(createRoundLedger(db, readPattern)),
    findings: translating(createFindingLedger(db)),
    decisions: translating(createDecisionLedger(db, readPattern)),
    keeps: translating(createKeepLedger(db, readPattern)),
    removals: translating(createRemovalLedger(db, readPattern)),
    restores: translating(createRestoreLedger(db)),
    catalogs: translating(createCatalogLedger(db)),
    audit: translating(createAuditLedger(db)),
    requestKeys: translating(createRequestKeyLedger(db)),
    retention: translating(createRetentionLedger(db)),
    figures: translating(createFiguresLedger(db)),
  };
}

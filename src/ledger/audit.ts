import { and, asc, eq, gt } from 'drizzle-orm';
import type { LedgerDatabase } from './database.ts';
import type { AuditEntry, AuditLedger } from './ledger.ts';
import { audit } from './schema.ts';

/** Adds one line to the audit, in the transaction of what it tells about: neither is ever there without the other. */
export async function writeAudit(tx: LedgerDatabase, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await tx.insert(audit).values(entry);
}

export function createAuditLedger(db: LedgerDatabase): AuditLedger {
  return {
    async page({ catalog, after, limit }) {
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            catalog === undefined ? undefined : eq(audit.catalog, catalog),
            after === undefined ? undefined : gt(audit.id, after),
          ),
        )
        .orderBy(asc(audit.id))
        .limit(limit);
      return rows.map(({ catalog: of, ...row }) => ({ ...row, ...(of === null ? {} : { catalog: of }) }));
    },
  };
}

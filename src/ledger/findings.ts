import { and, asc, eq } from 'drizzle-orm';
import { pathText } from '../domain/path.ts';
import { type LedgerDatabase, walking } from './database.ts';
import { countOpen } from './findings-count.ts';
import { findingPage } from './findings-page.ts';
import { countRejected } from './findings-rejected.ts';
import { findingRecords } from './findings-record.ts';
import { selectFindings } from './findings-selection.ts';
import type { FindingLedger, FindingRecord } from './ledger.ts';
import { findings, transitions } from './schema.ts';

export function createFindingLedger(db: LedgerDatabase): FindingLedger {
  return {
    page: (query, now) => walking(db, (tx) => findingPage(tx, query, now)),
    count: (catalog, now) => countOpen(db, catalog, now),
    select: (query, items, now) => walking(db, (tx) => selectFindings(tx, query, items, now)),
    rejected: async (catalog) => (await countRejected(db, catalog)).rejected,
    finding: (id, now) => findingOf(db, id, now),
    async openAt(catalog, path, now) {
      const rows = await db
        .select()
        .from(findings)
        .where(and(eq(findings.catalog, catalog), eq(findings.state, 'open'), eq(findings.path, pathText(path))))
        .orderBy(asc(findings.id))
        .limit(1);
      const [record] = await findingRecords(db, rows, now);
      return record;
    },
    async history(id) {
      const rows = await db
        .select({ at: transitions.at, round: transitions.round, what: transitions.what, detail: transitions.detail })
        .from(transitions)
        .where(eq(transitions.finding, id))
        .orderBy(asc(transitions.id));
      return rows.map(({ round, ...row }) => ({ ...row, ...(round === null ? {} : { round }) }));
    },
  };
}

/** Also for a transaction that has opened an intent on it and answers with what it is about. */
export async function findingOf(db: LedgerDatabase, id: string, now: number): Promise<FindingRecord | undefined> {
  const rows = await db.select().from(findings).where(eq(findings.id, id));
  const [record] = await findingRecords(db, rows, now);
  return record;
}

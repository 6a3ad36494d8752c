import { sql } from 'drizzle-orm';
import { pathText } from '../../../src/domain/path.ts';
import type { Standing } from '../../../src/domain/finding.ts';
import { rowsOf } from '../../../src/ledger/database.ts';
import type { FindingRecord } from '../../../src/ledger/ledger.ts';
import type { TestLedger } from '../../support/ledger.ts';
import { absent, type Seen, shop, t0 } from './scene.ts';

/* What tests look at after a round was published. */

export const gone = (path: string): Seen => ({ path, verdict: absent() });

export async function findingAt({ ledger }: TestLedger, path: string): Promise<FindingRecord> {
  const page = await ledger.findings.page({ catalog: shop, limit: 100 }, t0);
  const found = page.find((one) => pathText(one.path) === path);
  if (found === undefined) throw new Error(`no finding at ${path}`);
  return found;
}

export async function rowsIn({ db }: TestLedger, ...tables: readonly string[]): Promise<unknown> {
  const counts = sql.join(
    tables.map((table) => sql`(select count(*) from ${sql.identifier(table)})::int as ${sql.identifier(table)}`),
    sql`, `,
  );
  return (await rowsOf(db, sql`select ${counts}`))[0];
}

/** Of something that was absent once. */
export const absentOnce: Standing = {
  verdict: 'absent',
  code: 'no-row',
  misses: 1,
  graceMs: 0,
  epoch: 'e1',
  absentSeq: 1,
  absentAt: t0,
  firstMissedAt: t0,
  due: false,
  ripe: false,
  waits: ['misses'],
};

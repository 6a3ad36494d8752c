import { and, asc, eq, not, type SQL, sql } from 'drizzle-orm';
import { pathText } from '../domain/path.ts';
import type { LedgerDatabase } from './database.ts';
import { findingRecords, type FindingRow } from './findings-record.ts';
import { isAmongRejected, isRejected } from './findings-rejected.ts';
import type { FindingQuery, FindingRecord } from './ledger.ts';
import { shownPath } from './rows.ts';
import { findings } from './schema.ts';

type State = FindingRow['state'];

/**
 * Every index of findings has the state before the path, so that pages of what is open never read what was closed.
 * A page of both is made of one of each.
 */
export async function findingPage(
  db: LedgerDatabase,
  query: FindingQuery,
  now: number,
): Promise<readonly FindingRecord[]> {
  const after = await cursorOf(db, query.after);
  const states: readonly State[] = query.state === undefined ? ['open', 'closed'] : [query.state];
  const rows: FindingRow[] = [];
  for (const state of states) rows.push(...(await pageOf(db, query, state, after)));
  if (states.length > 1) rows.sort(inOrder);
  return findingRecords(db, rows.slice(0, query.limit), now);
}

interface Cursor {
  readonly path: string;
  readonly id: string;
}

async function pageOf(
  db: LedgerDatabase,
  query: FindingQuery,
  state: State,
  after: Cursor | undefined,
): Promise<readonly FindingRow[]> {
  const conditions: (SQL | undefined)[] = [
    eq(findings.catalog, query.catalog),
    eq(findings.state, state),
    query.rejected === undefined ? undefined : query.rejected ? isAmongRejected(query.catalog) : not(isRejected(db)),
    query.kind === undefined ? undefined : eq(findings.kind, query.kind),
    query.verdict === undefined ? undefined : sql`(${findings.standing} ->> 'verdict') = ${query.verdict}`,
    after === undefined ? undefined : sql`(${findings.path}, ${findings.id}) > (${after.path}, ${after.id})`,
  ];
  return db
    .select()
    .from(findings)
    .where(and(...conditions))
    .orderBy(asc(findings.path), asc(findings.id))
    .limit(query.limit);
}

/**
 * The place of the last finding seen. A path that nothing of ours wrote is shown as it stands, and its text is then
 * another one than the column's: going by that could answer the same page for ever.
 */
async function cursorOf(db: LedgerDatabase, after: FindingQuery['after']): Promise<Cursor | undefined> {
  if (after === undefined) return undefined;
  const given = pathText(after.path);
  const [last] = await db.select({ path: findings.path }).from(findings).where(eq(findings.id, after.id));
  const isOdd = last !== undefined && last.path !== given && pathText(shownPath(last.path)) === given;
  return { id: after.id, path: isOdd ? last.path : given };
}

/** By code point, as the database orders paths; by UTF-16 unit they would differ beyond the basic plane. */
function inOrder(a: Cursor, b: Cursor): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

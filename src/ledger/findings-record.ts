import { desc, inArray, sql } from 'drizzle-orm';
import type { Evidence } from '../domain/verdict.ts';
import { textArray } from './array-text.ts';
import { type LedgerDatabase, rowsOf } from './database.ts';
import { decisionRecord } from './decisions.ts';
import { type DecisionRow, inForce } from './decisions-in-force.ts';
import type { FindingRecord } from './ledger.ts';
import { shownPath } from './rows.ts';
import { decisions, evidence, type findings } from './schema.ts';

export type FindingRow = typeof findings.$inferSelect;

/**
 * Findings as people are shown them: with their evidence and the decision in force. Each look-up is one statement for
 * all of them. Nothing here refuses a row, for one that is odd must not hide the others.
 */
export async function findingRecords(
  db: LedgerDatabase,
  rows: readonly FindingRow[],
  now: number,
): Promise<readonly FindingRecord[]> {
  if (rows.length === 0) return [];
  const bodies = await evidenceOf(db, rows);
  const decided: DecisionRow[] = [];
  for (const catalog of new Set(rows.map((row) => row.catalog))) {
    decided.push(...(await decisionsOf(db, catalog, rows, now)));
  }
  return rows.map((row) => {
    const decision = decided.find((candidate) => isAbout(candidate, row));
    return record(row, bodies.get(row.evidence) ?? lostEvidence(row), decision, now);
  });
}

async function evidenceOf(db: LedgerDatabase, rows: readonly FindingRow[]): Promise<ReadonlyMap<string, Evidence>> {
  const digests = [...new Set(rows.map((row) => row.evidence))];
  const found = await db.select().from(evidence).where(inArray(evidence.digest, digests));
  return new Map(found.map(({ digest, body }) => [digest, body]));
}

/** Those that still hold: a keep before all else, as it bars what the others could allow; then the latest. */
async function decisionsOf(
  db: LedgerDatabase,
  catalog: string,
  rows: readonly FindingRow[],
  now: number,
): Promise<readonly DecisionRow[]> {
  const ids = await activeIds(
    db,
    catalog,
    rows.map(({ entity }) => entity),
  );
  if (ids.length === 0) return [];
  const found = await db
    .select()
    .from(decisions)
    .where(inArray(decisions.id, ids))
    .orderBy(desc(decisions.at), desc(decisions.id));
  const valid = found.filter((row) => inForce(row, now));
  return [...valid.filter(({ action }) => action === 'keep'), ...valid.filter(({ action }) => action !== 'keep')];
}

/** One look into the index for each entity; left to itself, the database may read all active ones of the catalog. */
async function activeIds(db: LedgerDatabase, catalog: string, entities: readonly string[]): Promise<readonly string[]> {
  const found = await rowsOf<{ id: string }>(
    db,
    sql`
      select d.id from unnest(${textArray(entities)}::text[]) as asked (entity)
      cross join lateral (
        select id from decisions where catalog = ${catalog} and entity = asked.entity and state = 'active' offset 0
      ) d`,
  );
  return found.map(({ id }) => id);
}

function isAbout(decision: DecisionRow, finding: FindingRow): boolean {
  if (decision.catalog !== finding.catalog || decision.entity !== finding.entity) return false;
  return decision.action === 'keep' || (decision.finding === finding.id && decision.digest === finding.digest);
}

function record(row: FindingRow, proof: Evidence, decision: DecisionRow | undefined, now: number): FindingRecord {
  return {
    id: row.id,
    catalog: row.catalog,
    entity: row.entity,
    kind: row.kind,
    path: shownPath(row.path),
    version: row.version,
    registeredAt: row.registeredAt,
    state: row.state,
    ...(row.closedWhy === null ? {} : { closedWhy: row.closedWhy }),
    standing: row.standing,
    digest: row.digest,
    evidence: proof,
    attachments: row.attachments,
    ...(row.movedTo === null ? {} : { movedTo: shownPath(row.movedTo) }),
    taken: row.taken,
    ...(row.carrier === null ? {} : { carrier: shownPath(row.carrier) }),
    inside: row.inside,
    ...(row.blocker === null ? {} : { blocker: row.blocker }),
    movedBy: row.movedBy,
    openedAt: row.openedAt,
    updatedAt: row.updatedAt,
    ...(decision === undefined ? {} : { decision: decisionRecord(decision, now) }),
  };
}

/** Where the proof itself is gone, nothing is claimed about how good it was. */
function lostEvidence({ standing }: FindingRow): Evidence {
  return { source: '', asked: '', code: standing.code, principal: '', fingerprint: '', strength: 'ambiguous' };
}

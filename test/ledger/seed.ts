import { type Actor, reconciler } from '../../src/domain/actor.ts';
import type { DecisionAction } from '../../src/domain/decision.ts';
import type { Standing } from '../../src/domain/finding.ts';
import { pathText } from '../../src/domain/path.ts';
import type { LedgerDatabase } from '../../src/ledger/database.ts';
import type { DecideInput, DecisionAnswer, Ledger } from '../../src/ledger/ledger.ts';
import {
  catalogs,
  decisions,
  evidence,
  findings,
  intents,
  removals,
  rounds,
  savedAttachments,
} from '../../src/ledger/schema.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Some moment; nothing in the ledger may ask another clock. */
export const t0 = 1_800_000_000_000;
export const key = 'lake/shop';
export const anna: Actor = { name: 'anna', verified: true, via: 'api' };
export const ben: Actor = { name: 'ben', verified: false, via: 'temporal' };

export type CatalogRow = typeof catalogs.$inferInsert;
export type FindingRow = typeof findings.$inferInsert;

/** A catalog whose round `r7` was published and holds nothing. */
export async function seedCatalog(db: LedgerDatabase, over: Partial<CatalogRow> = {}): Promise<void> {
  const row: CatalogRow = {
    key,
    metalake: 'lake',
    name: 'shop',
    roundSeq: 7,
    publishedRound: 'r7',
    publishedSeq: 7,
    publishedAt: t0,
    epoch: 'e1',
    fingerprint: 'f1',
    principal: 'reader',
    state: 'ok',
    stateSince: t0,
    ...over,
  };
  await db.insert(catalogs).values(row).onConflictDoUpdate({ target: catalogs.key, set: row });
  if (row.publishedRound !== undefined && row.publishedRound !== null) await seedRound(db, row.publishedRound, row.key);
}

/** A published round that went by a version of the policy, or a running one. */
export async function seedRound(
  db: LedgerDatabase,
  id: string,
  catalog = key,
  over: { readonly policyVersion?: number; readonly state?: 'running' | 'published'; readonly dry?: boolean } = {},
): Promise<void> {
  const row: typeof rounds.$inferInsert = {
    id,
    catalog,
    seq: 7,
    dry: false,
    trigger: 'schedule',
    requestedBy: reconciler,
    workflowId: `round/${catalog}`,
    state: 'published',
    intervalMs: hour,
    nominalAt: t0,
    startedAt: t0,
    policyVersion: 0,
    ...over,
  };
  await db.insert(rounds).values(row).onConflictDoUpdate({ target: rounds.id, set: row });
}

/** What a round leaves of an object that is gone long enough for a person to approve. */
export function ripe(over: Partial<Standing> = {}): Standing {
  return {
    verdict: 'absent',
    code: 'no-row',
    misses: 2,
    graceMs: hour,
    epoch: 'e1',
    absentSeq: 7,
    absentAt: t0,
    firstMissedAt: t0 - hour,
    due: false,
    ripe: true,
    waits: ['report-only'],
    ...over,
  };
}

/** A ripe finding on a table, judged by the published round, unless said otherwise. Its digest is `digest of <id>`. */
export async function seedFinding(db: LedgerDatabase, id: string, over: Partial<FindingRow> = {}): Promise<FindingRow> {
  await db
    .insert(evidence)
    .values({
      digest: 'seen',
      body: {
        source: 'postgresql',
        asked: 'pg_catalog lookup by name',
        code: 'no-row',
        principal: 'reader',
        fingerprint: 'f1',
        strength: 'conclusive',
      },
    })
    .onConflictDoNothing();
  const row: FindingRow = {
    id,
    catalog: key,
    entity: `entity of ${id}`,
    kind: 'table',
    path: pathText(['sales', id]),
    version: '1',
    registeredAt: t0 - 30 * day,
    standing: ripe(),
    digest: digestOf(id),
    evidence: 'seen',
    attachments: 'unseen',
    state: 'open',
    movedBy: 'r7',
    openedAt: t0 - hour,
    updatedAt: t0,
    ...over,
  };
  await db.insert(findings).values(row);
  return row;
}

export function digestOf(id: string): string {
  return `digest of ${id}`;
}

export async function seedIntent(
  db: LedgerDatabase,
  id: string,
  finding: Pick<FindingRow, 'id' | 'path' | 'kind' | 'entity'>,
): Promise<void> {
  await db.insert(intents).values({
    id,
    catalog: key,
    finding: finding.id,
    entity: finding.entity,
    kind: finding.kind,
    path: finding.path,
    version: '1',
    digest: digestOf(finding.id),
    actor: anna,
    round: 'r7',
    openedAt: t0,
    actBefore: t0 + minute,
    state: 'open',
  });
}

/** One registration that went, unless said otherwise. */
export async function seedRemoval(
  db: LedgerDatabase,
  id: string,
  over: Partial<typeof removals.$inferInsert> = {},
): Promise<void> {
  await db.insert(removals).values({
    id,
    catalog: key,
    finding: `finding of ${id}`,
    entity: `entity of ${id}`,
    kind: 'table',
    path: `sales/${id}`,
    actor: anna,
    outcome: 'removed',
    reason: 'removed and read back as gone',
    entities: 1,
    evidence: 'seen',
    at: t0,
    ...over,
  });
}

/** What was saved of registrations that went with a removal. */
export async function seedSaved(
  db: LedgerDatabase,
  intent: string,
  paths: readonly string[],
  body: (typeof savedAttachments.$inferInsert)['body'] = { tags: [], policies: [], grants: [], properties: {} },
): Promise<void> {
  const rows = paths.map((path) => ({ intent, entity: `entity at ${path}`, path, version: '1', body }));
  await db.insert(savedAttachments).values(rows.map((row) => ({ ...row, kind: 'table' as const })));
}

/** One decision of anna, now, under a key of its own. */
export async function decideOne(
  ledger: Ledger,
  findingId: string,
  action: DecisionAction,
  over: Partial<DecideInput> & { readonly digest?: string; readonly keepUntil?: number } = {},
): Promise<DecisionAnswer> {
  const { digest = digestOf(findingId), keepUntil, ...input } = over;
  const now = input.now ?? t0;
  const [answer] = await ledger.decisions.decide({
    catalog: key,
    items: [{ findingId, digest, action, ...(keepUntil === undefined ? {} : { keepUntil }) }],
    actor: anna,
    requestKey: `${action} ${findingId} ${now}`,
    canRepoint: true,
    now,
    notAfter: now + minute,
    ...input,
  });
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** `<action> <state>` of every decision, oldest first, with why it ended. */
export async function decisionsNow(db: LedgerDatabase): Promise<readonly string[]> {
  const rows = await db.select().from(decisions).orderBy(decisions.at, decisions.id);
  return rows.map(({ action, state, stateWhy }) => [action, state, ...(stateWhy === null ? [] : [stateWhy])].join(' '));
}

export async function audited(ledger: Ledger): Promise<readonly string[]> {
  const entries = await ledger.audit.page({ catalog: key, limit: 1_000 });
  return entries.map(({ action, actor, subject }) => `${action} by ${actor.name}: ${subject}`);
}

export async function historyOf(ledger: Ledger, finding: string): Promise<readonly string[]> {
  return (await ledger.findings.history(finding)).map(({ what }) => what);
}

import { and, asc, count, eq, exists, sql } from 'drizzle-orm';
import { type RemovalLimit, roomLeft } from '../domain/removal-limits.ts';
import { parsePathText, type Path } from '../domain/path.ts';
import { type CatalogRow, catalogRow } from './catalog-row.ts';
import type { IntentAction } from '../domain/removal.ts';
import type { LedgerDatabase } from './database.ts';
import { approves } from './decisions-in-force.ts';
import { anyOverride, weightOf } from './decisions-override.ts';
import { countRejected } from './findings-rejected.ts';
import type { CatalogKey, NextStep, ReadPattern } from './ledger.ts';
import { type FindingRow, readBar } from './removals-bar.ts';
import { approvedCandidates, dueCandidates, repointCandidates, unattendedKinds } from './removals-candidates.ts';
import { type Circumstances, circumstancesOf } from './removals-circumstances.ts';
import { roomInDayAt } from './removals-limits.ts';
import { openIntentOf } from './removals-intent.ts';
import { requestedRestore } from './restores-record.ts';
import { shownPath } from './rows.ts';
import { decisions, findings, removals } from './schema.ts';

/**
 * What to do next in one catalog. It only looks: whatever it names is asked about again, under locks, when the intent
 * is opened.
 */
export async function next(
  db: LedgerDatabase,
  key: CatalogKey,
  now: number,
  readPattern: ReadPattern,
): Promise<NextStep> {
  // First of all, and whatever keeps removals waiting: it takes nothing away.
  const restore = await requestedRestore(db, key);
  if (restore !== undefined) return { step: 'restore', restore: restore.id, path: await pathOf(db, restore.removal) };
  const intent = await openIntentOf(db, key);
  if (intent !== undefined) return { step: 'settle', intent };
  const catalog = await catalogRow(db, key);
  if (catalog === undefined) return { step: 'done' };
  const shut = shutBy(catalog);
  if (shut !== undefined) return waiting(db, key, { why: shut });

  // Whether a round runs meanwhile matters to some registries only; opening the intent asks that.
  const circumstances = await circumstancesOf(db, catalog, { now, exclusive: false, readPattern });
  const repoint = await firstFree(db, 'repoint', await repointCandidates(db, circumstances), circumstances);
  if (repoint !== undefined) return repoint;
  // Re-pointing loses nothing, so a hold keeps nothing waiting but removals.
  if (catalog.hold.length > 0 && !(await anyOverride(db, key, now))) return waiting(db, key, { why: heldBy(catalog) });
  const room = roomLeft(circumstances.removed, circumstances.policy);
  for (const find of [approvedCandidates, dueCandidates]) {
    const removal = await firstFree(db, 'remove', await find(db, circumstances, room), circumstances);
    if (removal !== undefined) return removal;
  }
  const limit = await limitInTheWay(db, circumstances);
  const times = [await nextExpiry(db, key, now), limit?.lookAgainAt].filter((at) => at !== undefined);
  return waiting(db, key, {
    why: limit?.why ?? (await whyNothing(db, circumstances)),
    ...(times.length === 0 ? {} : { lookAgainAt: Math.min(...times) }),
  });
}

async function pathOf(db: LedgerDatabase, removal: string): Promise<Path> {
  const [row] = await db.select({ path: removals.path }).from(removals).where(eq(removals.id, removal));
  return shownPath(row?.path ?? removal);
}

/** The first of them that nothing bars. A row that we cannot have written is left to whoever mends the database. */
async function firstFree(
  db: LedgerDatabase,
  action: IntentAction,
  candidates: readonly FindingRow[],
  circumstances: Circumstances,
): Promise<NextStep | undefined> {
  for (const finding of candidates) {
    const path = parsePathText(finding.path);
    if (path === undefined || (await readBar(db, action, finding, circumstances)).bar !== undefined) continue;
    return { step: action, finding: finding.id, path, kind: finding.kind };
  }
  return undefined;
}

/** The limit that the first in turn would pass, and when it would not any more as far as time alone tells. */
async function limitInTheWay(
  db: LedgerDatabase,
  circumstances: Circumstances,
): Promise<{ readonly why: RemovalLimit; readonly lookAgainAt?: number } | undefined> {
  const { catalog, policy, removed, now } = circumstances;
  for (const find of [approvedCandidates, dueCandidates]) {
    for (const finding of await find(db, circumstances, Number.POSITIVE_INFINITY)) {
      const { bar } = await readBar(db, 'remove', finding, circumstances);
      if (bar === 'round-limit') return { why: bar }; // the next published round makes itself heard
      if (bar !== 'day-limit') continue;
      const { inDay } = removed;
      const lookAgainAt = await roomInDayAt(db, catalog.key, weightOf(finding), { inDay, limits: policy, now });
      return { why: bar, ...(lookAgainAt === undefined ? {} : { lookAgainAt }) };
    }
  }
  return undefined;
}

/** What bars everything that could be done to the catalog, whatever the finding. */
function shutBy(catalog: CatalogRow): string | undefined {
  if (catalog.pause !== null) return 'paused';
  if (catalog.stop !== null) return `stopped: ${catalog.stop.reason}`;
  return catalog.state === 'ok' ? undefined : `catalog-not-ok: ${catalog.state}`;
}

function heldBy({ hold }: CatalogRow): string {
  return `held: ${hold.join(', ')}`;
}

async function waiting(
  db: LedgerDatabase,
  key: CatalogKey,
  wait: { readonly why: string; readonly lookAgainAt?: number },
): Promise<NextStep> {
  const [counted] = await db
    .select({ open: count() })
    .from(findings)
    .where(and(eq(findings.catalog, key), eq(findings.state, 'open')));
  // What a person rejected waits for nothing here: a round that sees other evidence, or a decision, starts the loop again.
  const open = (counted?.open ?? 0) - (await countRejected(db, key)).rejected;
  return open === 0 ? { step: 'done' } : { step: 'wait', ...wait, open };
}

/** What the oldest approval waits for; where there is none, what the policy lacks. */
async function whyNothing(db: LedgerDatabase, circumstances: Circumstances): Promise<string> {
  const { catalog, policy, now } = circumstances;
  const [oldest] = await db
    .select({ finding: findings })
    .from(decisions)
    .innerJoin(findings, and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest)))
    .where(and(eq(decisions.catalog, catalog.key), approves(decisions, now), eq(findings.state, 'open')))
    .orderBy(asc(decisions.at), asc(decisions.id))
    .limit(1);
  const bar = oldest === undefined ? undefined : (await readBar(db, 'remove', oldest.finding, circumstances)).bar;
  if (bar === 'held' || (bar === undefined && catalog.hold.length > 0)) return heldBy(catalog);
  return bar ?? (unattendedKinds(policy).length > 0 ? 'nothing-due' : 'not-approved');
}

/**
 * When a decision about an open finding ends next. Nothing else changes the answer by time alone: what is due
 * is said by rounds, and they make themselves heard.
 */
async function nextExpiry(db: LedgerDatabase, key: CatalogKey, now: number): Promise<number | undefined> {
  const ends = sql`coalesce(${decisions.expiresAt}, ${decisions.keepUntil})`;
  const open = db
    .select({ one: sql`1` })
    .from(findings)
    .where(and(eq(findings.catalog, key), eq(findings.entity, decisions.entity), eq(findings.state, 'open')));
  const [soonest] = await db
    .select({ at: sql<number | null>`min(${ends})`.mapWith(Number) })
    .from(decisions)
    .where(and(eq(decisions.catalog, key), eq(decisions.state, 'active'), sql`${ends} > ${now}`, exists(open)));
  return soonest?.at ?? undefined;
}

import { and, asc, count, eq, exists, sql } from 'drizzle-orm';
import { type RemovalLimit, roomLeft } from '../domain/removal-limits.ts';
import { parsePathText } from '../domain/path.ts';
import { type CatalogRow, catalogRow } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { approves } from './decisions-in-force.ts';
import { anyOverride, weightOf } from './decisions-override.ts';
import type { CatalogKey, NextStep } from './ledger.ts';
import { readBar } from './removals-bar.ts';
import { approvedCandidates, dueCandidates, unattendedKinds } from './removals-candidates.ts';
import { type Circumstances, circumstancesOf } from './removals-circumstances.ts';
import { roomInDayAt } from './removals-limits.ts';
import { openIntentOf } from './removals-intent.ts';
import { decisions, findings } from './schema.ts';

/**
 * What to do next in one catalog. It only looks: whatever it names is asked about again, under locks, when the intent
 * is opened.
 */
export async function next(db: LedgerDatabase, key: CatalogKey, now: number): Promise<NextStep> {
  const intent = await openIntentOf(db, key);
  if (intent !== undefined) return { step: 'settle', intent };
  const catalog = await catalogRow(db, key);
  if (catalog === undefined) return { step: 'done' };
  const everything = await barOfCatalog(db, catalog, now);
  if (everything !== undefined) return waiting(db, key, { why: everything });

  // Whether a round runs meanwhile matters to some registries only; opening the intent asks that.
  const circumstances = await circumstancesOf(db, catalog, { now, exclusive: false });
  const room = roomLeft(circumstances.removed, circumstances.policy);
  for (const find of [approvedCandidates, dueCandidates]) {
    for (const finding of await find(db, circumstances, room)) {
      const path = parsePathText(finding.path);
      // A row that we cannot have written is left to whoever mends the database; the others go on.
      if (path === undefined || (await readBar(db, finding, circumstances)).bar !== undefined) continue;
      return { step: 'remove', finding: finding.id, path, kind: finding.kind };
    }
  }
  const limit = await limitInTheWay(db, circumstances);
  const times = [await nextExpiry(db, key, now), limit?.lookAgainAt].filter((at) => at !== undefined);
  return waiting(db, key, {
    why: limit?.why ?? (await whyNothing(db, circumstances)),
    ...(times.length === 0 ? {} : { lookAgainAt: Math.min(...times) }),
  });
}

/** The limit that the first in turn would pass, and when it would not any more as far as time alone tells. */
async function limitInTheWay(
  db: LedgerDatabase,
  circumstances: Circumstances,
): Promise<{ readonly why: RemovalLimit; readonly lookAgainAt?: number } | undefined> {
  const { catalog, policy, removed, now } = circumstances;
  for (const find of [approvedCandidates, dueCandidates]) {
    for (const finding of await find(db, circumstances, Number.POSITIVE_INFINITY)) {
      const { bar } = await readBar(db, finding, circumstances);
      if (bar === 'round-limit') return { why: bar }; // the next published round makes itself heard
      if (bar !== 'day-limit') continue;
      const { inDay } = removed;
      const lookAgainAt = await roomInDayAt(db, catalog.key, weightOf(finding), { inDay, limits: policy, now });
      return { why: bar, ...(lookAgainAt === undefined ? {} : { lookAgainAt }) };
    }
  }
  return undefined;
}

/** What bars every removal of the catalog, whatever the finding. */
async function barOfCatalog(db: LedgerDatabase, catalog: CatalogRow, now: number): Promise<string | undefined> {
  if (catalog.pause !== null) return 'paused';
  if (catalog.stop !== null) return `stopped: ${catalog.stop.reason}`;
  if (catalog.state !== 'ok') return `catalog-not-ok: ${catalog.state}`;
  if (catalog.hold.length > 0 && !(await anyOverride(db, catalog.key, now))) return heldBy(catalog);
  return undefined;
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
  const open = counted?.open ?? 0;
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
  const bar = oldest === undefined ? undefined : (await readBar(db, oldest.finding, circumstances)).bar;
  if (bar === 'held' || (bar === undefined && catalog.hold.length > 0)) return heldBy(catalog);
  return bar ?? (unattendedKinds(policy).length > 0 ? 'nothing-due' : 'not-approved');
}

/**
 * When a keep or an approval of an open finding ends next. Nothing else changes the answer by time alone: what is due
 * is said by rounds, and they make themselves heard.
 */
async function nextExpiry(db: LedgerDatabase, key: CatalogKey, now: number): Promise<number | undefined> {
  const ends = sql`case ${decisions.action} when 'approve' then ${decisions.expiresAt} else ${decisions.keepUntil} end`;
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

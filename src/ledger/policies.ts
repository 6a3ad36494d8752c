import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Actor } from '../domain/actor.ts';
import { askedBy } from '../domain/decision.ts';
import { completePolicy, defaultPolicy, isStricter, type Policy } from '../domain/policy.ts';
import { changedPolicy, changeFlaw } from '../domain/policy-change.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import type { CatalogKey, CatalogLedger, PolicyVersion } from './ledger.ts';
import { awaitSecondEyes } from './overrides.ts';
import { changesBetween } from './policy-differences.ts';
import { decisions, policies } from './schema.ts';

export interface EffectivePolicy {
  /** 0 where none was ever applied. */
  readonly version: number;
  readonly policy: Policy;
  readonly intervalMs: number;
}

/** What is assumed of a catalog that nobody scheduled: rounds on request, counted as if they were an hour apart. */
const unscheduled: EffectivePolicy = { version: 0, policy: defaultPolicy, intervalMs: 3_600_000 };

export async function effectivePolicy(db: LedgerDatabase, catalog: CatalogKey): Promise<EffectivePolicy> {
  const { version, policy, intervalMs } = await standing(db, catalog);
  return { version, policy, intervalMs };
}

/** The policy in force, and what the configuration said where somebody changed it since. */
async function standing(
  db: LedgerDatabase,
  catalog: CatalogKey,
): Promise<EffectivePolicy & { readonly configured?: Policy }> {
  const [latest] = await db
    .select()
    .from(policies)
    .where(eq(policies.catalog, catalog))
    .orderBy(desc(policies.version))
    .limit(1);
  if (latest === undefined) return unscheduled;
  const { version, body, intervalMs, configured } = latest;
  return {
    version,
    policy: completePolicy(body),
    intervalMs,
    ...(configured === null ? {} : { configured: completePolicy(configured) }),
  };
}

export async function applyPolicy(
  db: LedgerDatabase,
  { catalog, policy: wanted, intervalMs, actor, now }: Parameters<CatalogLedger['applyPolicy']>[0],
): ReturnType<CatalogLedger['applyPolicy']> {
  return db.transaction(async (tx) => {
    // Under the same lock as intents, so that no removal goes by the old policy once this one is written.
    await lockCatalog(tx, catalog);
    const before = await standing(tx, catalog);
    const { configured } = before;
    // what a person changed holds until the configuration has something new to say
    const isHeld = configured !== undefined && Object.keys(changesBetween(configured, wanted)).length === 0;
    const policy = isHeld ? before.policy : wanted;
    const held = isHeld ? { changedOverApi: true as const } : {};
    const changes = changesBetween({ ...before.policy, intervalMs: before.intervalMs }, { ...policy, intervalMs });
    const replaced = configured !== undefined && !isHeld;
    if (Object.keys(changes).length === 0 && !replaced) return { version: before.version, changed: false, ...held };
    const version = await write(tx, before, {
      catalog,
      policy,
      intervalMs,
      actor,
      now,
      ...(isHeld ? { configured } : {}),
      told: { action: 'policy-applied', detail: { changes, ...(replaced ? { replacedChangeOverApi: true } : {}) } },
    });
    return { version, changed: true, ...held };
  });
}

export async function changePolicy(
  db: LedgerDatabase,
  { catalog, seenVersion, change, actor, reason, now }: Parameters<CatalogLedger['changePolicy']>[0],
): ReturnType<CatalogLedger['changePolicy']> {
  return db.transaction(async (tx) => {
    await lockCatalog(tx, catalog);
    const before = await standing(tx, catalog);
    const { version: seen, policy: previous, intervalMs, configured = previous } = before;
    if (seen !== seenVersion) return { answer: 'other-version', version: seen };
    const policy = changedPolicy(previous, change);
    const flaw = changeFlaw(previous, policy, configured);
    if (flaw !== undefined) return { answer: 'unsafe', flaw };
    const changes = changesBetween(previous, policy);
    if (Object.keys(changes).length === 0) return { answer: 'changed', version: seen };
    const told = { action: 'policy-changed', detail: { changes, reason } };
    const version = await write(tx, before, { catalog, policy, intervalMs, actor, now, configured, reason, told });
    return { answer: 'changed', version };
  });
}

/** One more version, with what it does to what was decided under the one before. */
async function write(
  tx: LedgerDatabase,
  before: EffectivePolicy,
  { catalog, policy, intervalMs, actor, now, configured, reason, told }: NewVersion,
): Promise<number> {
  const version = before.version + 1;
  await tx.insert(policies).values({ catalog, version, body: policy, intervalMs, actor, at: now, configured, reason });
  const asked = and(eq(decisions.catalog, catalog), inArray(decisions.action, Object.values(askedBy)));
  const approvalsVoided = isStricter(before.policy, policy)
    ? await endDecisions(tx, asked, { state: 'void', why: 'policy-stricter', now })
    : 0;
  if (policy.fourEyes && !before.policy.fourEyes) await awaitSecondEyes(tx, catalog);
  const { action, detail } = told;
  const whole = { version, ...detail, approvalsVoided };
  await writeAudit(tx, { at: now, catalog, actor, action, subject: catalog, detail: whole });
  return version;
}

interface NewVersion {
  readonly catalog: CatalogKey;
  readonly policy: Policy;
  readonly intervalMs: number;
  readonly actor: Actor;
  readonly now: number;
  readonly configured?: Policy;
  readonly reason?: string;
  readonly told: { readonly action: string; readonly detail: Record<string, unknown> };
}

export async function policyVersions(
  db: LedgerDatabase,
  catalog: CatalogKey,
  { limit, before }: { readonly limit: number; readonly before?: number },
): Promise<readonly PolicyVersion[]> {
  const older = before === undefined ? undefined : lt(policies.version, before);
  const rows = await db
    .select()
    .from(policies)
    .where(and(eq(policies.catalog, catalog), older))
    .orderBy(desc(policies.version))
    .limit(limit + 1); // one more, from which the oldest of the page differs
  return rows.slice(0, limit).map((row, at) => {
    const earlier = rows[at + 1];
    const from = earlier === undefined ? unscheduled : { policy: completePolicy(earlier.body), ...earlier };
    const policy = completePolicy(row.body);
    return {
      version: row.version,
      policy,
      intervalMs: row.intervalMs,
      actor: row.actor,
      at: row.at,
      ...(row.reason === null ? {} : { reason: row.reason }),
      changedOverApi: row.configured !== null,
      changes: changesBetween(
        { ...from.policy, intervalMs: from.intervalMs },
        { ...policy, intervalMs: row.intervalMs },
      ),
    };
  });
}

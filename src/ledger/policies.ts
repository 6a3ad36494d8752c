import { and, desc, eq, inArray } from 'drizzle-orm';
import { askedBy } from '../domain/decision.ts';
import { canonical } from '../domain/digest.ts';
import { completePolicy, defaultPolicy, isStricter, type Policy } from '../domain/policy.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import type { CatalogKey, CatalogLedger } from './ledger.ts';
import { awaitSecondEyes } from './overrides.ts';
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
  const [latest] = await db
    .select({ version: policies.version, policy: policies.body, intervalMs: policies.intervalMs })
    .from(policies)
    .where(eq(policies.catalog, catalog))
    .orderBy(desc(policies.version))
    .limit(1);
  return latest === undefined ? unscheduled : { ...latest, policy: completePolicy(latest.policy) };
}

type ApplyPolicy = Parameters<CatalogLedger['applyPolicy']>[0];

export async function applyPolicy(
  db: LedgerDatabase,
  { catalog, policy, intervalMs, actor, now }: ApplyPolicy,
): Promise<{ readonly version: number; readonly changed: boolean }> {
  return db.transaction(async (tx) => {
    // Under the same lock as intents, so that no removal goes by the old policy once this one is written.
    await lockCatalog(tx, catalog);
    const before = await effectivePolicy(tx, catalog);
    const changes = changesBetween({ ...before.policy, intervalMs: before.intervalMs }, { ...policy, intervalMs });
    if (Object.keys(changes).length === 0) return { version: before.version, changed: false };
    const version = before.version + 1;
    await tx.insert(policies).values({ catalog, version, body: policy, intervalMs, actor, at: now });
    const voided = isStricter(before.policy, policy)
      ? await endDecisions(tx, and(eq(decisions.catalog, catalog), inArray(decisions.action, Object.values(askedBy))), {
          state: 'void',
          why: 'policy-stricter',
          now,
        })
      : 0;
    if (policy.fourEyes && !before.policy.fourEyes) await awaitSecondEyes(tx, catalog);
    await writeAudit(tx, {
      at: now,
      catalog,
      actor,
      action: 'policy-applied',
      subject: catalog,
      detail: { version, changes, approvalsVoided: voided },
    });
    return { version, changed: true };
  });
}

type Settings = Readonly<Record<string, unknown>>;

/** Every setting that differs, with both values; order of keys and absent members do not count as a difference. */
function changesBetween(from: object, to: object): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const [before, after]: readonly [Settings, Settings] = [{ ...from }, { ...to }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names
      .filter((name) => canonical(before[name]) !== canonical(after[name]))
      .map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
}

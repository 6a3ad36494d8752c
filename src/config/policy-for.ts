import { defaultPolicy, type Policy } from '../domain/policy.ts';
import type { EntityKind } from '../domain/registration.ts';
import type { Config, ReconcileGiven } from './config.ts';
import { shortestGapMs } from './cron.ts';
import { reconcileSettings } from './reconcile-settings.ts';

/** How one catalog is reconciled, in effect. */
export interface EffectiveReconcile {
  readonly policy: Policy;
  readonly enabled: boolean;
  readonly schedule: { readonly intervalMs: number } | { readonly cron: string };
  /** The gap between two rounds; under cron the shortest one, with which grace is earned slowest. */
  readonly intervalMs: number;
  readonly jitterPercent: number;
  readonly probesInFlight: number;
}

/**
 * What the configuration means for one catalog. One that the file does not name (registered over the API, say) goes by
 * what is written for all.
 */
export function policyFor(config: Pick<Config, 'reconcile' | 'catalogs'>, metalake: string, catalog: string) {
  const own = config.catalogs.find((known) => known.metalake === metalake && known.catalog === catalog);
  return effectiveReconcile(config.reconcile, own?.reconcile ?? {});
}

export function effectiveReconcile(all: ReconcileGiven, own: ReconcileGiven): EffectiveReconcile {
  const schedule = scheduleOf(own) ?? scheduleOf(all) ?? { intervalMs: fallbacks.intervalSecs.fallback * second };
  return {
    policy: policyOf(all, own),
    enabled: own.enabled ?? all.enabled ?? fallbacks.enabled.fallback,
    schedule,
    intervalMs: 'cron' in schedule ? shortestGapMs(schedule.cron) : schedule.intervalMs,
    jitterPercent: own.jitterPercent ?? all.jitterPercent ?? fallbacks.jitterPercent.fallback,
    probesInFlight: own.probesInFlight ?? all.probesInFlight ?? fallbacks.probesInFlight.fallback,
  };
}

function policyOf(all: ReconcileGiven, own: ReconcileGiven): Policy {
  const given = { ...all, ...own };
  const guard = { ...all.guard, ...own.guard };
  return {
    mode: given.policy ?? defaultPolicy.mode,
    modeByKind: modeByKind(all, own),
    misses: given.misses ?? defaultPolicy.misses,
    graceMs: milliseconds(given.graceSecs) ?? defaultPolicy.graceMs,
    minimumAgeMs: milliseconds(given.minimumAgeSecs) ?? defaultPolicy.minimumAgeMs,
    approveAttended: given.approveAttended ?? defaultPolicy.approveAttended,
    approvalTtlMs: milliseconds(given.approvalTtlSecs) ?? defaultPolicy.approvalTtlMs,
    fourEyes: given.fourEyes ?? defaultPolicy.fourEyes,
    guard: {
      maxShare: ofHundred(guard.maxSharePercent) ?? defaultPolicy.guard.maxShare,
      minCount: guard.minCount ?? defaultPolicy.guard.minCount,
      minProbedShare: ofHundred(guard.minProbedPercent) ?? defaultPolicy.guard.minProbedShare,
      maxShrink: ofHundred(guard.maxShrinkPercent) ?? defaultPolicy.guard.maxShrink,
    },
    removalsPerSecond: given.removalsPerSecond ?? defaultPolicy.removalsPerSecond,
    removalBurst: given.removalBurst ?? defaultPolicy.removalBurst,
    removalsPerRound: given.maxRemovalsPerRound ?? defaultPolicy.removalsPerRound,
    removalsPerDay: given.maxRemovalsPerDay ?? defaultPolicy.removalsPerDay,
    savedAttachmentsMs: days(given.keepSavedAttachmentsDays) ?? defaultPolicy.savedAttachmentsMs,
    ...(given.keepAuditDays === undefined ? {} : { auditMs: given.keepAuditDays * day }),
    include: given.include ?? defaultPolicy.include,
    exclude: given.exclude ?? defaultPolicy.exclude,
    // no level can take away what another one protects
    protect: [...new Set([...defaultPolicy.protect, ...(all.protect ?? []), ...(own.protect ?? [])])],
  };
}

/** A catalog that says `report-only` means it, whatever was written per kind for all. */
function modeByKind(all: ReconcileGiven, own: ReconcileGiven): Policy['modeByKind'] {
  const kinds: readonly EntityKind[] = ['schema', 'table', 'view', 'topic'];
  const merged = own.policy === undefined ? { ...all.policyByKind, ...own.policyByKind } : { ...own.policyByKind };
  return Object.fromEntries(kinds.flatMap((kind) => (merged[kind] === undefined ? [] : [[kind, merged[kind]]])));
}

/** The nearest level that says when, says so alone: an interval for one catalog replaces a cron expression for all. */
function scheduleOf(given: ReconcileGiven): EffectiveReconcile['schedule'] | undefined {
  if (given.cron !== undefined) return { cron: given.cron };
  return given.intervalSecs === undefined ? undefined : { intervalMs: given.intervalSecs * second };
}

const fallbacks = reconcileSettings.keys;
const second = 1_000;
const day = 24 * 3600 * second;
const days = (count: number | undefined) => (count === undefined ? undefined : count * day);
const milliseconds = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * second);
const ofHundred = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100);

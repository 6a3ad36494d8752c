import { type EntityKind, objectKindsOf } from './registration.ts';

export type PolicyMode = 'report-only' | 'auto-remove';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** What a catalog's rounds and removals go by. The ledger keeps every version of it; activities read only that. */
export interface Policy {
  readonly mode: PolicyMode;
  /** A stricter or looser mode for one kind of registration. */
  readonly modeByKind: Readonly<Partial<Record<EntityKind, PolicyMode>>>;
  /** Complete rounds in which an object must be missing before its registration may go. */
  readonly misses: number;
  /** Time over which those misses must stretch; a person's approval waives it. */
  readonly graceMs: number;
  /** A registration younger than this is never removed, by nobody. */
  readonly minimumAgeMs: number;
  /** In auto-remove, whatever has an owner, tags, policies or grants still waits for a person. */
  readonly approveAttended: boolean;
  /** An approval that was not carried out by then is void. */
  readonly approvalTtlMs: number;
  /** An override admits nothing before another person than its requester approved it. */
  readonly fourEyes: boolean;
  readonly guard: GuardPolicy;
  /** The long-run rate of removals of one catalog, and how many may go at once after a pause. */
  readonly removalsPerSecond: number;
  readonly removalBurst: number;
  /** Registrations that may go between two published rounds, and within a day; a container counts all inside. */
  readonly removalsPerRound: number;
  readonly removalsPerDay: number;
  /** What was attached to a removed registration is kept so long; until then the removal can be undone. */
  readonly savedAttachmentsMs: number;
  /** Lines of the audit are kept so long; absent for ever. */
  readonly auditMs?: number;
  /** Only registrations that match one of these are judged; none given means all. Globs over `schema/table`. */
  readonly include: readonly string[];
  /** Registrations that match one of these are not judged. */
  readonly exclude: readonly string[];
  /** Registrations that match one of these are never removed, by nobody. */
  readonly protect: readonly string[];
}

export interface GuardPolicy {
  /** A round is held when a larger share than this of what was really probed is absent … */
  readonly maxShare: number;
  /** … and more registrations than this. Small catalogs stay usable that way. */
  readonly minCount: number;
  /** A round is held when less than this share of what should be probed got a conclusive verdict. */
  readonly minProbedShare: number;
  /** A round is held when the snapshot shrank by a larger share than this beyond the drops that the registry recorded. */
  readonly maxShrink: number;
}

export const defaultPolicy: Policy = {
  mode: 'report-only',
  modeByKind: {},
  misses: 2,
  graceMs: day,
  minimumAgeMs: hour,
  approveAttended: true,
  approvalTtlMs: 7 * day,
  fourEyes: false,
  guard: { maxShare: 0.05, minCount: 10, minProbedShare: 0.5, maxShrink: 0.2 },
  // A fifth of what a catalog-wide lock of 300 ms allows, so that the catalog's own users hardly feel it.
  removalsPerSecond: 0.5,
  removalBurst: 1,
  removalsPerRound: 1_000,
  removalsPerDay: 5_000,
  // A yearly job that missed its table has come by once more by then.
  savedAttachmentsMs: 400 * day,
  include: [],
  exclude: [],
  // Named so by every PostgreSQL; losing the grants on it would be a surprise that nobody asked for.
  protect: ['public', 'information_schema', 'pg_catalog'],
};

/** One momentary "not found" proves nothing, whatever a policy says. */
export const fewestMisses = 2;

/** A policy as it was stored, perhaps by an earlier version: what it does not know yet is as by default. */
export function completePolicy(stored: Partial<Policy>): Policy {
  const policy = { ...defaultPolicy, ...stored };
  const guard = { ...defaultPolicy.guard, ...stored.guard };
  return { ...policy, guard, misses: Math.max(fewestMisses, policy.misses) };
}

export function modeFor(policy: Policy, kind: EntityKind): PolicyMode {
  return policy.modeByKind[kind] ?? policy.mode;
}

/** Whether `next` asks for more than `previous` did; approvals given under the looser one are void then. */
export function isStricter(previous: Policy, next: Policy): boolean {
  const grew = (pick: (policy: Policy) => readonly string[]) =>
    pick(next).some((pattern) => !pick(previous).includes(pattern));
  return (
    next.misses > previous.misses ||
    next.minimumAgeMs > previous.minimumAgeMs ||
    (next.fourEyes && !previous.fourEyes) ||
    grew((policy) => policy.exclude) ||
    grew((policy) => policy.protect) ||
    (next.include.length > 0 && next.include.join('\n') !== previous.include.join('\n'))
  );
}

/**
 * Whether `next` lets through what `previous` held back: a higher threshold of the guard, fewer or shorter waits, or
 * something removed unasked. The first round under it only reports, so that a slip of the pen removes nothing.
 */
export function isLaxer(previous: Policy, next: Policy): boolean {
  const kinds = Object.keys(objectKindsOf) as EntityKind[];
  return (
    next.guard.maxShare > previous.guard.maxShare ||
    next.guard.minCount > previous.guard.minCount ||
    next.guard.minProbedShare < previous.guard.minProbedShare ||
    next.guard.maxShrink > previous.guard.maxShrink ||
    next.misses < previous.misses ||
    next.graceMs < previous.graceMs ||
    next.minimumAgeMs < previous.minimumAgeMs ||
    (previous.approveAttended && !next.approveAttended) ||
    kinds.some((kind) => modeFor(previous, kind) === 'report-only' && modeFor(next, kind) === 'auto-remove')
  );
}

/** What of a policy decides *what we look at*; part of the epoch, since a changed scope makes old misses meaningless. */
export function scopeOf(policy: Policy): Pick<Policy, 'include' | 'exclude'> {
  return { include: policy.include, exclude: policy.exclude };
}

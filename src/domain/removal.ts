import type { PolicyMode } from './policy.ts';
import type { HoldReason } from './guard.ts';
import type { RemovalLimit } from './removal-limits.ts';

/** What an intent is about to do to a registration: take it out, or give it the name under which its object lives now. */
export type IntentAction = 'remove' | 'repoint';

/** How an intent ended. Only `unknown` leaves its intent open. */
export type RemovalOutcome =
  | 'removed'
  | 'repointed'
  | 'already-gone'
  | 'present'
  | 'changed'
  | 'replaced'
  | 'renamed'
  | 'refused'
  | 'not-permitted'
  | 'source-unreachable'
  | 'abandoned'
  | 'unknown';

/**
 * What an outcome means for the finding, for the decision, and for the rest of the catalog's removals. `again` tells
 * whether the finding may be tried again before another round has looked at it.
 */
export const outcomeRules = {
  removed: { finding: 'closed', decision: 'consumed', stops: false, again: false },
  // Under its new name it is whatever the next round finds there.
  repointed: { finding: 'closed', decision: 'consumed', stops: false, again: false },
  'already-gone': { finding: 'closed', decision: 'consumed', stops: false, again: false },
  present: { finding: 'open', decision: 'void', stops: false, again: false },
  changed: { finding: 'open', decision: 'void', stops: false, again: false },
  replaced: { finding: 'open', decision: 'void', stops: false, again: false },
  renamed: { finding: 'open', decision: 'void', stops: false, again: false },
  // The registry will not; asking again at once would be the same answer.
  refused: { finding: 'open', decision: 'void', stops: false, again: false },
  'not-permitted': { finding: 'open', decision: 'kept', stops: false, again: true },
  // The source could not be asked, so the whole catalog waits for a round that can.
  'source-unreachable': { finding: 'open', decision: 'kept', stops: true, again: false },
  // The worker died before anything was sent, and the time to send it is over: the same decision may be tried again.
  abandoned: { finding: 'open', decision: 'kept', stops: false, again: true },
  unknown: { finding: 'open', decision: 'kept', stops: true, again: false },
} as const satisfies Record<
  RemovalOutcome,
  {
    readonly finding: 'open' | 'closed';
    readonly decision: 'consumed' | 'void' | 'kept';
    readonly stops: boolean;
    readonly again: boolean;
  }
>;

/** So many presents among the last so many removals say that our rounds see badly: stop and let a person look. */
export const presentsThatStop = { presents: 3, among: 20 };

export function tooManyPresents(latest: readonly RemovalOutcome[]): boolean {
  const seen = latest.slice(0, presentsThatStop.among).filter((outcome) => outcome === 'present');
  return seen.length >= presentsThatStop.presents;
}

/** What stands between a finding and what its catalog would do about it, read in one transaction. */
export interface RemovalContext {
  readonly catalogState: 'ok' | 'unreachable' | 'incomplete' | 'failed' | 'source-changed' | 'never-scanned';
  readonly hold: readonly HoldReason[];
  readonly admitted: boolean;
  readonly paused: boolean;
  readonly stopped: boolean;
  readonly roundProbing: boolean;
  readonly exclusive: boolean;
  readonly mode: PolicyMode;
  readonly kept: boolean;
  readonly finding: {
    readonly open: boolean;
    readonly judgedByPublished: boolean;
    readonly absent: boolean;
    /** Its object lives under one other name, which is not registered. */
    readonly movable: boolean;
    readonly ripe: boolean;
    readonly due: boolean;
    readonly blocked: boolean;
    readonly carried: boolean;
  };
  /** A valid decision of exactly this evidence that asks for what is about to be done. */
  readonly approved: boolean;
  /** A valid rejection of exactly this evidence. */
  readonly rejected: boolean;
  /** The limit that would be passed if it went now. */
  readonly limit: RemovalLimit | undefined;
}

export type RemovalBar =
  | 'paused'
  | 'stopped'
  | 'catalog-not-ok'
  | 'held'
  | 'round-running'
  | 'closed'
  | 'kept'
  | 'rejected'
  | 'not-absent'
  | 'not-renamed'
  | 'judged-by-older-round'
  | 'blocked-inside'
  | 'container-first'
  | 'not-ripe'
  | 'not-approved'
  | RemovalLimit;

/** Why nothing may be removed now; `undefined` where the removal may go on to its own checks. */
export function removalBar(context: RemovalContext): RemovalBar | undefined {
  const { finding } = context;
  const shut = shutBar(context);
  if (shut !== undefined) return shut;
  if (context.hold.length > 0 && !context.admitted) return 'held';
  if (roundInTheWay(context)) return 'round-running';
  if (!finding.open) return 'closed';
  if (context.kept) return 'kept';
  if (context.rejected) return 'rejected';
  if (!finding.absent) return 'not-absent';
  if (!finding.judgedByPublished) return 'judged-by-older-round';
  if (finding.carried) return 'container-first';
  if (finding.blocked) return 'blocked-inside';
  if (!finding.ripe) return 'not-ripe';
  if (!context.approved && !(context.mode === 'auto-remove' && finding.due)) return 'not-approved';
  return context.limit;
}

/**
 * Why a registration may not be re-pointed now. A hold is no bar, since nothing is lost; nor is a keep, which protects
 * from removal. Only a person re-points, whatever the policy.
 */
export function repointBar(context: RemovalContext): RemovalBar | undefined {
  const { finding } = context;
  const shut = shutBar(context);
  if (shut !== undefined) return shut;
  if (roundInTheWay(context)) return 'round-running';
  if (!finding.open) return 'closed';
  if (!finding.movable) return 'not-renamed';
  if (!finding.judgedByPublished) return 'judged-by-older-round';
  return context.approved ? undefined : 'not-approved';
}

/** What bars everything that is done to a catalog. */
function shutBar({ paused, stopped, catalogState }: RemovalContext): RemovalBar | undefined {
  if (paused) return 'paused';
  if (stopped) return 'stopped';
  return catalogState === 'ok' ? undefined : 'catalog-not-ok';
}

function roundInTheWay({ exclusive, roundProbing }: RemovalContext): boolean {
  return exclusive && roundProbing;
}

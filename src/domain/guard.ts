import type { GuardPolicy } from './policy.ts';

/** Counts of a round, taken from its verdict rows before anything is judged. */
export interface RoundTally {
  /** Everything in the snapshot. */
  readonly registrations: number;
  /** Marked to be probed, less what people keep. */
  readonly eligible: number;
  /** Eligible with a conclusive verdict: anything but unknown. */
  readonly conclusive: number;
  /** Eligible and absent, what is inside containers included. */
  readonly absent: number;
  /** Of those, admitted by an override that is still valid. */
  readonly admitted: number;
}

export interface GuardInput {
  readonly tally: RoundTally;
  /** The last published round's snapshot and the drops that the registry recorded since; `undefined` for the first. */
  readonly previous: { readonly registrations: number; readonly drops: number } | undefined;
  readonly newEpoch: boolean;
  /** Whether the policy became laxer since the last published round. */
  readonly laxerPolicy: boolean;
  readonly controlsAbsent: boolean;
  readonly policy: GuardPolicy;
}

export type HoldReason =
  | 'controls-absent'
  | 'all-absent'
  | 'too-many-absent'
  | 'too-few-probed'
  | 'snapshot-shrank'
  | 'new-epoch'
  | 'policy-changed'
  | 'source-changed';

/**
 * The share of what was really probed that is absent, between 0 and 1. Admitted findings leave the numerator, not the
 * denominator; whatever is kept, excluded or unknown is in neither, so that it cannot pass for healthy.
 */
export function absentShare({ conclusive, absent, admitted }: RoundTally): number {
  if (conclusive <= 0) return 0;
  return Math.min(1, Math.max(0, absent - admitted) / conclusive);
}

/**
 * Why a round must not lead to removals, the gravest reason first; empty where it may. All or nothing, before the first
 * removal. There is no setting that turns it off.
 */
export function guardReasons(input: GuardInput): readonly HoldReason[] {
  const { tally, policy, previous } = input;
  const standing = Math.max(0, tally.absent - tally.admitted);
  const reasons: HoldReason[] = [];
  if (input.controlsAbsent) reasons.push('controls-absent');
  if (standing > 0 && tally.absent === tally.conclusive) reasons.push('all-absent');
  if (standing > policy.minCount && absentShare(tally) > policy.maxShare) reasons.push('too-many-absent');
  if (tally.eligible > 0 && tally.conclusive < tally.eligible * policy.minProbedShare) reasons.push('too-few-probed');
  if (previous !== undefined) {
    const lost = previous.registrations - previous.drops - tally.registrations;
    if (lost > policy.minCount && lost > previous.registrations * policy.maxShrink) reasons.push('snapshot-shrank');
  }
  if (input.newEpoch) reasons.push('new-epoch');
  if (input.laxerPolicy) reasons.push('policy-changed');
  return reasons;
}

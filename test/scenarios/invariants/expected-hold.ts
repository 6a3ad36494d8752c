import type { HoldReason } from '../../../src/domain/guard.ts';
import type { GuardPolicy } from '../../../src/domain/policy.ts';
import type { DecisionRow, JudgedRow } from '../ledger-rows.ts';

/** Keeps that hold now, by entity. */
export function keptEntities(decisions: readonly DecisionRow[], now: number): ReadonlySet<string> {
  return new Set(
    decisions
      .filter(({ state, action, keep_until: until }) => {
        return state === 'active' && action === 'keep' && (until === null || until > now);
      })
      .map(({ entity }) => entity),
  );
}

/**
 * Why a round must be held at least, reckoned from its rows alone. Shares are left out while an override admits
 * findings: how many is for the guard to say.
 */
export function expectedHold(given: {
  readonly rows: readonly JudgedRow[];
  readonly kept: ReadonlySet<string>;
  readonly overridden: boolean;
  readonly controlsAbsent: boolean;
  readonly newEpoch: boolean;
  readonly previous: { readonly registrations: number; readonly drops: number } | undefined;
  readonly policy: GuardPolicy;
}): readonly HoldReason[] {
  const { rows, kept, policy, previous } = given;
  const eligible = rows.filter(({ mark, entity }) => mark === 'probe' && !kept.has(entity));
  const clear = eligible.filter(({ verdict }) => verdict !== null && verdict !== 'unknown');
  const absent = clear.filter(({ verdict }) => verdict === 'absent').length;
  const reasons: HoldReason[] = [];
  if (given.controlsAbsent) reasons.push('controls-absent');
  if (!given.overridden && absent > 0 && absent === clear.length) reasons.push('all-absent');
  if (!given.overridden && absent > policy.minCount && absent / clear.length > policy.maxShare)
    reasons.push('too-many-absent');
  if (eligible.length > 0 && clear.length / eligible.length < policy.minProbedShare) reasons.push('too-few-probed');
  if (previous !== undefined) {
    const lost = previous.registrations - previous.drops - rows.length;
    if (lost > policy.minCount && lost / previous.registrations > policy.maxShrink) reasons.push('snapshot-shrank');
  }
  if (given.newEpoch) reasons.push('new-epoch');
  return reasons;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochOf, type Eyes } from '../../src/domain/digest.ts';
import {
  absentShare,
  type GuardInput,
  guardReasons,
  type HoldReason,
  type RoundTally,
} from '../../src/domain/guard.ts';
import { defaultPolicy, type GuardPolicy, scopeOf } from '../../src/domain/policy.ts';
import type { VerdictKind } from '../../src/domain/verdict.ts';
import { sha256 } from '../support/builders.ts';

/** A round of `eligible` registrations, each with a conclusive answer. */
function tally(over: Partial<RoundTally>): RoundTally {
  const eligible = over.eligible ?? 1_000;
  return { registrations: eligible, eligible, conclusive: eligible, absent: 0, admitted: 0, ...over };
}

function reasons(over: Partial<RoundTally>, input: Partial<Omit<GuardInput, 'tally'>> = {}): readonly HoldReason[] {
  return guardReasons({
    tally: tally(over),
    previous: undefined,
    newEpoch: false,
    laxerPolicy: false,
    controlsAbsent: false,
    policy: defaultPolicy.guard,
    ...input,
  });
}

function rule(over: Partial<GuardPolicy>): Pick<GuardInput, 'policy'> {
  return { policy: { ...defaultPolicy.guard, ...over } };
}

interface Counted {
  readonly verdict: VerdictKind;
  readonly kept: boolean;
  readonly admittedBy: readonly string[];
}

/** A round's counts, taken one registration after the other. */
function tallyOf(registrations: readonly Counted[]): RoundTally {
  const eligible = registrations.filter(({ kept }) => !kept);
  const absent = eligible.filter(({ verdict }) => verdict === 'absent');
  return {
    registrations: registrations.length,
    eligible: eligible.length,
    conclusive: eligible.filter(({ verdict }) => verdict !== 'unknown').length,
    absent: absent.length,
    admitted: absent.filter(({ admittedBy }) => admittedBy.length > 0).length,
  };
}

/** Some order that has nothing to do with the verdicts' own. */
function orderBy({ verdict, kept, admittedBy }: Counted, seed: number): number {
  return (verdict.length * 7 + (kept ? 3 : 0) + admittedBy.length * 5) ^ seed;
}

describe('the share of absent registrations', () => {
  test.each<[string, Partial<RoundTally>, readonly HoldReason[]]>([
    ['nothing absent', {}, []],
    ['nothing registered', { eligible: 0 }, []],
    ['a few of many', { absent: 3 }, []],
    ['ten are never too many', { eligible: 20, absent: 10 }, []],
    ['eleven of few are', { eligible: 20, absent: 11 }, ['too-many-absent']],
    ['exactly five per cent are not', { eligible: 400, absent: 20 }, []],
    ['one more is', { eligible: 400, absent: 21 }, ['too-many-absent']],
    ['B07 everything is absent', { eligible: 40, absent: 40 }, ['all-absent', 'too-many-absent']],
    ['everything is absent, and it is one', { eligible: 1, absent: 1 }, ['all-absent']],
    [
      'B50 all that is eligible, however many are pinned',
      { registrations: 100, eligible: 40, conclusive: 40, absent: 40 },
      ['all-absent', 'too-many-absent'],
    ],
    [
      'B50 all but one of what is eligible, however many are pinned',
      { registrations: 1_000, eligible: 40, conclusive: 40, absent: 39 },
      ['too-many-absent'],
    ],
    ['unknown ones do not count as healthy', { conclusive: 600, absent: 31 }, ['too-many-absent']],
    ['all with an answer, beside unknown ones', { eligible: 10, conclusive: 7, absent: 7 }, ['all-absent']],
  ])('holds the round or not: %s', (_name, counts, expected) => {
    expect(reasons(counts)).toEqual(expected);
  });

  test.each<[string, Partial<RoundTally>, readonly HoldReason[]]>([
    ['60 of 200', { eligible: 200, absent: 60 }, ['too-many-absent']],
    ['20 of 40', { eligible: 40, absent: 20 }, []],
    ['40 of 40', { eligible: 40, absent: 40 }, ['all-absent']],
  ])('B58 more than 25 %% and more than 50: %s', (_name, counts, expected) => {
    expect(reasons(counts, rule({ maxShare: 0.25, minCount: 50 }))).toEqual(expected);
  });

  test.each<[string, Partial<RoundTally>, readonly HoldReason[]]>([
    ['B53 not enough admitted', { eligible: 200, absent: 60, admitted: 12 }, ['too-many-absent']],
    ['B53 so many admitted that few are left', { eligible: 200, absent: 60, admitted: 50 }, []],
    ['B56 all 25 admitted', { eligible: 100, absent: 25, admitted: 25 }, []],
    ['the denominator stays', { eligible: 60, absent: 59, admitted: 40 }, ['too-many-absent']],
    ['all absent, some admitted', { eligible: 40, absent: 40, admitted: 35 }, ['all-absent']],
    ['all absent, all admitted', { eligible: 40, absent: 40, admitted: 40 }, []],
    ['more admitted than absent', { eligible: 40, absent: 20, admitted: 30 }, []],
  ])('an override admits: %s', (_name, counts, expected) => {
    expect(reasons(counts)).toEqual(expected);
  });

  test('B52 lies between 0 and 1, rises with absences and falls with admissions', () => {
    const counts = fc
      .tuple(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000))
      .map(([a, b, admitted]) => tally({ conclusive: Math.max(a, b), absent: Math.min(a, b), admitted }));
    fc.assert(
      fc.property(counts, (given) => {
        const share = absentShare(given);
        expect(share >= 0 && share <= 1).toBe(true);
        expect(absentShare({ ...given, admitted: given.admitted + 1 })).toBeLessThanOrEqual(share);
        if (given.absent < given.conclusive) {
          expect(absentShare({ ...given, absent: given.absent + 1 })).toBeGreaterThanOrEqual(share);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('B52 keeps its bounds in 10,000 random rounds, in any order, and another stale registration never lowers it', () => {
    const one = fc.record({
      verdict: fc.constantFrom<VerdictKind[]>(
        'present',
        'absent',
        'absent',
        'renamed',
        'replaced',
        'copied',
        'unknown',
      ),
      kept: fc.boolean(),
      // by no override, one, or several that overlap
      admittedBy: fc.subarray(['o1', 'o2', 'o3']),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), fc.integer(), (registrations, seed) => {
        const share = absentShare(tallyOf(registrations));
        expect(share >= 0 && share <= 1).toBe(true);
        const shuffled = [...registrations].sort((a, b) => orderBy(a, seed) - orderBy(b, seed));
        expect(absentShare(tallyOf(shuffled))).toBe(share);
        const stale = { verdict: 'absent', kept: false, admittedBy: [] } as const;
        expect(absentShare(tallyOf([...registrations, stale]))).toBeGreaterThanOrEqual(share);
      }),
      { numRuns: 10_000 },
    );
  });

  test.each([
    ['nothing was judged', { conclusive: 0, absent: 0 }, 0],
    ['a quarter', { conclusive: 40, absent: 10 }, 0.25],
    ['admitted ones leave the numerator only', { conclusive: 40, absent: 10, admitted: 5 }, 0.125],
    ['B50 pinned ones are in neither', { registrations: 100, conclusive: 40, absent: 40 }, 1],
    ['B52 never more than all', { conclusive: 40, absent: 50 }, 1],
  ])('is %s', (_name, counts, share) => {
    expect(absentShare(tally(counts))).toBe(share);
  });
});

describe('other reasons to hold a round', () => {
  test.each<[string, Partial<RoundTally>, readonly HoldReason[]]>([
    ['half of it', { conclusive: 500 }, []],
    ['less than half of it', { conclusive: 499 }, ['too-few-probed']],
    ['nothing of it', { conclusive: 0 }, ['too-few-probed']],
    ['half of what is eligible', { registrations: 9_000, eligible: 10, conclusive: 5 }, []],
  ])('too little got an answer: %s', (_name, counts, expected) => {
    expect(reasons(counts)).toEqual(expected);
  });

  test.each<[string, number, { registrations: number; drops: number } | undefined, readonly HoldReason[]]>([
    ['no round before', 100, undefined, []],
    ['grown', 100, { registrations: 90, drops: 0 }, []],
    ['a fifth lost', 80, { registrations: 100, drops: 0 }, []],
    ['more than a fifth lost', 79, { registrations: 100, drops: 0 }, ['snapshot-shrank']],
    ['everything lost', 0, { registrations: 100, drops: 0 }, ['snapshot-shrank']],
    ['all of it recorded as dropped', 10, { registrations: 100, drops: 90 }, []],
    ['more lost than recorded', 10, { registrations: 100, drops: 69 }, ['snapshot-shrank']],
    ['a small catalog lost ten', 2, { registrations: 12, drops: 0 }, []],
    ['a small catalog lost eleven', 1, { registrations: 12, drops: 0 }, ['snapshot-shrank']],
  ])('the snapshot shrank: %s', (_name, registrations, previous, expected) => {
    expect(reasons({ eligible: registrations }, { previous })).toEqual(expected);
  });

  test('every known control is absent', () => {
    expect(reasons({}, { controlsAbsent: true })).toEqual(['controls-absent']);
  });

  test('all that speaks against it is told, the gravest first', () => {
    const everything = reasons(
      { eligible: 100, conclusive: 30, absent: 30 },
      { controlsAbsent: true, newEpoch: true, laxerPolicy: true, previous: { registrations: 1_000, drops: 0 } },
    );
    expect(everything).toEqual([
      'controls-absent',
      'all-absent',
      'too-many-absent',
      'too-few-probed',
      'snapshot-shrank',
      'new-epoch',
      'policy-changed',
    ]);
  });

  test('B55 the first round after a change of what is looked at removes nothing, the one after is normal', () => {
    const eyes = (exclude: readonly string[]): Eyes => ({
      connection: { host: 'db' },
      principal: 'reader',
      fingerprint: 'f1',
      scope: scopeOf({ ...defaultPolicy, exclude }),
    });
    const rounds = [eyes([]), eyes(['tmp']), eyes(['tmp'])].map((seen) => epochOf(seen, sha256));
    const held = rounds.map((epoch, index) => reasons({ absent: 5 }, { newEpoch: epoch !== rounds[index - 1] }));
    expect(held).toEqual([['new-epoch'], ['new-epoch'], []]);
  });

  test('no threshold lets a round pass in which everything is absent', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const guards = fc.record({ maxShare: share, minCount: fc.nat(1_000_000), minProbedShare: share, maxShrink: share });
    fc.assert(
      fc.property(guards, fc.integer({ min: 1, max: 100_000 }), (policy, absent) => {
        expect(reasons({ eligible: absent, absent }, { policy })).toContain('all-absent');
      }),
    );
  });
});

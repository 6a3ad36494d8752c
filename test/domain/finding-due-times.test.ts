import { describe, expect, test } from 'vitest';
import type { JudgingRound, Standing } from '../../src/domain/finding.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { autoRemove, day, hour, judged, judgingRound, minute, standing, t0 } from '../support/builders.ts';
import { moved } from './moved.ts';

/** Rounds at the given hours after {@link t0}, all absent and complete; the standing after each. */
function absences(hours: readonly number[], round: Partial<JudgingRound> = {}, what = judged('absent')): Standing[] {
  const after: Standing[] = [];
  for (const [index, at] of hours.entries()) {
    after.push(moved(after.at(-1), what, judgingRound({ seq: index + 1, now: t0 + at * hour, ...round })));
  }
  return after;
}

describe('due times', () => {
  test('B59 nobody who sets no grace gets less than the documented day', () => {
    const hourly = absences(Array.from({ length: 27 }, (_unused, index) => index));
    expect(hourly.findIndex(({ due }) => due)).toBe(24);
    expect(hourly.findIndex(({ ripe }) => ripe)).toBe(1);
    expect(hourly.slice(0, 25).every(({ dueAt }) => dueAt === t0 + day)).toBe(true);
  });

  test('B61 an announced time does not move earlier when the policy is loosened', () => {
    const grace = (days: number) => ({ policy: autoRemove({ graceMs: days * day }), intervalMs: day });
    const first = moved(undefined, judged('absent'), judgingRound({ seq: 1, ...grace(30) }));
    expect(first.dueAt).toBe(t0 + 30 * day);
    let after = first;
    const dueOn: number[] = [];
    for (let days = 1; days <= 31; days += 1) {
      after = moved(after, judged('absent'), judgingRound({ seq: days + 1, now: t0 + days * day, ...grace(7) }));
      if (days < 30) expect(after.dueAt).toBe(t0 + 30 * day);
      if (after.due) dueOn.push(days);
    }
    expect(dueOn).toEqual([30, 31]);
  });

  test('an announced time moves later with a stricter policy', () => {
    const round = judgingRound({ policy: autoRemove({ graceMs: 9 * day }) });
    expect(moved(standing(), judged('absent'), round).dueAt).toBe(t0 + 9 * day - hour);
  });

  test.each([
    ['misses', judgingRound({ policy: autoRemove({ misses: 50 }) }), judged('absent'), 48 * hour],
    ['grace', judgingRound(), judged('absent'), day - hour],
    ['minimum age', judgingRound(), judged('absent', { createdAt: t0 + 2 * day }), 2 * day + hour],
  ])('are announced for whatever is met last: %s', (_name, round, what, inMs) => {
    expect(moved(standing({ dueAt: t0 }), what, round).dueAt).toBe(t0 + inMs);
  });

  test('B62 a leap of 40 days makes nothing due: the grace was not watched', () => {
    const [, leapt] = absences([0, 40 * 24]);
    expect(leapt).toMatchObject({
      misses: 2,
      graceMs: 2 * hour,
      due: false,
      ripe: true,
      waits: ['grace', 'announced'],
    });
  });

  test('B62 a leap of 40 days replaces no round', () => {
    const [, leapt] = absences([0, 40 * 24], { policy: autoRemove({ misses: 3, graceMs: 0 }) });
    expect(leapt).toMatchObject({ misses: 2, due: false, ripe: false });
  });

  test('are never due in the round that announces them', () => {
    const grown = absences([0, 1, 2], { policy: { ...defaultPolicy, misses: 2, graceMs: 0, minimumAgeMs: 0 } });
    expect(grown.map(({ dueAt }) => dueAt)).toEqual([undefined, undefined, undefined]);
    const free = autoRemove({ misses: 2, graceMs: 0, minimumAgeMs: 0 });
    const announcing = moved(
      grown.at(-1),
      judged('absent'),
      judgingRound({ seq: 4, now: t0 + 3 * hour, policy: free }),
    );
    expect(announcing).toMatchObject({ dueAt: t0 + 3 * hour, due: false, ripe: true, waits: ['announced'] });
    const next = moved(
      announcing,
      judged('absent'),
      judgingRound({ seq: 5, now: t0 + 3 * hour + minute, policy: free }),
    );
    expect(next).toMatchObject({ due: true, waits: [] });
  });
});

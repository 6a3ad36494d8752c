import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayMs,
  limitOutgrown,
  limitReached,
  type Limits,
  type Removed,
  roomLeft,
} from '../../src/domain/removal-limits.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { hour } from '../support/builders.ts';

const limits: Limits = { removalsPerRound: 10, removalsPerDay: 30 };

describe('the limits', () => {
  test('are a thousand a round and five thousand a day where nobody says otherwise', () => {
    expect(defaultPolicy).toMatchObject({ removalsPerRound: 1_000, removalsPerDay: 5_000 });
  });

  test.each([
    ['the first', 1, { inRound: 0, inDay: 0 }, undefined],
    ['the last of a round', 1, { inRound: 9, inDay: 9 }, undefined],
    ['one more than a round takes', 1, { inRound: 10, inDay: 10 }, 'round-limit'],
    ['a container that would pass it half-way', 4, { inRound: 7, inDay: 7 }, 'round-limit'],
    ['the last of a day', 1, { inRound: 0, inDay: 29 }, undefined],
    ['one more than a day takes', 1, { inRound: 0, inDay: 30 }, 'day-limit'],
    ['one more than both take', 1, { inRound: 10, inDay: 30 }, 'round-limit'],
  ] as const)('%s', (_name, registrations, removed, limit) => {
    expect(limitReached(registrations, removed, limits)).toBe(limit);
  });

  test.each([
    [10, undefined],
    [11, 'round-limit'],
  ])('a container of %d', (registrations, limit) => {
    expect(limitOutgrown(registrations, limits)).toBe(limit);
  });

  test('a container larger than a day outgrows that where a round would take it', () => {
    expect(limitOutgrown(50, { removalsPerRound: 100, removalsPerDay: 30 })).toBe('day-limit');
  });
});

describe('whatever asks to go, and whenever', () => {
  const asking = fc.record({
    gapMs: fc.integer({ min: 0, max: 6 * hour }),
    registrations: fc.integer({ min: 1, max: 12 }),
    newRound: fc.boolean(),
  });
  const anyLimits = fc.record({
    removalsPerRound: fc.integer({ min: 1, max: 20 }),
    removalsPerDay: fc.integer({ min: 1, max: 40 }),
  });

  test('no round and no 24 hours see more go than the limits say, and whatever fits goes', () => {
    const property = fc.property(fc.array(asking, { maxLength: 60 }), anyLimits, (asked, policy) => {
      const gone: { readonly at: number; readonly registrations: number; readonly round: number }[] = [];
      const sum = (which: (one: (typeof gone)[number]) => boolean) =>
        gone.filter(which).reduce((total, { registrations }) => total + registrations, 0);
      let now = 0;
      let round = 0;
      for (const { gapMs, registrations, newRound } of asked) {
        now += gapMs;
        if (newRound) round += 1;
        const removed: Removed = {
          inRound: sum((one) => one.round === round),
          inDay: sum(({ at }) => at > now - dayMs),
        };
        const goes = limitReached(registrations, removed, policy) === undefined;
        expect(goes).toBe(registrations <= roomLeft(removed, policy));
        if (goes) gone.push({ at: now, registrations, round });
      }
      for (const { at, round: of } of gone) {
        expect(sum((one) => one.at <= at && one.at > at - dayMs)).toBeLessThanOrEqual(policy.removalsPerDay);
        expect(sum((one) => one.round === of)).toBeLessThanOrEqual(policy.removalsPerRound);
      }
    });
    fc.assert(property);
  });

  test('nothing that went before makes room', () => {
    const counts = fc.record({ inRound: fc.nat(50), inDay: fc.nat(50) });
    fc.assert(
      fc.property(counts, counts, anyLimits, fc.integer({ min: 1, max: 12 }), (some, more, policy, registrations) => {
        const all = { inRound: some.inRound + more.inRound, inDay: some.inDay + more.inDay };
        expect(roomLeft(all, policy)).toBeLessThanOrEqual(roomLeft(some, policy));
        if (limitReached(registrations, some, policy) !== undefined) {
          expect(limitReached(registrations, all, policy)).toBeDefined();
        }
      }),
    );
  });
});

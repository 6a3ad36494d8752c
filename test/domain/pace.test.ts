import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bucket, fullBucket, type Pace, takeToken, waitForToken } from '../../src/domain/pace.ts';
import { t0 } from '../support/builders.ts';

/** When each of `wanted` tokens can be taken by somebody who waits exactly as long as told, `idleMs` after each. */
function takeAll(pace: Pace, wanted: number, idleMs: (taken: number) => number = () => 0): readonly number[] {
  let now = t0;
  let bucket = fullBucket(pace, now);
  return Array.from({ length: wanted }, (_unused, index) => {
    now += waitForToken(bucket, pace, now);
    bucket = takeToken(bucket, pace, now);
    const at = now - t0;
    now += idleMs(index);
    return at;
  });
}

describe('the pace of removals', () => {
  test.each<[string, Pace, readonly number[]]>([
    ['one in two seconds', { perSecond: 0.5, burst: 1 }, [0, 2_000, 4_000, 6_000]],
    ['three at once, then one a second', { perSecond: 1, burst: 3 }, [0, 0, 0, 1_000, 2_000]],
    ['never early where a third of a second does not come out even', { perSecond: 3, burst: 1 }, [0, 334, 668]],
    [
      'nothing is lost to rounding while the bucket is not full',
      { perSecond: 3, burst: 2 },
      [0, 0, 334, 667, 1_000, 1_334, 1_667, 2_000],
    ],
    ['a burst below one still lets one through', { perSecond: 1, burst: 0 }, [0, 1_000]],
  ])('%s', (_name, pace, expected) => {
    expect(takeAll(pace, expected.length)).toEqual(expected);
  });

  test('a long rest gathers no more than the burst', () => {
    const rest = (taken: number) => (taken === 1 ? 3_600_000 : 0);
    expect(takeAll({ perSecond: 1, burst: 2 }, 6, rest)).toEqual([0, 0, 3_600_000, 3_600_000, 3_601_000, 3_602_000]);
  });

  test('a clock that goes back gives no tokens', () => {
    const pace = { perSecond: 1, burst: 1 };
    const empty = takeToken(fullBucket(pace, t0), pace, t0);
    const earlier = takeToken(empty, pace, t0 - 60_000);
    expect(waitForToken(empty, pace, t0 - 60_000)).toBe(1_000);
    expect(waitForToken(earlier, pace, t0)).toBe(1_000);
  });

  test('another pace counts from the moment it is set', () => {
    const empty = takeToken(fullBucket({ perSecond: 1, burst: 1 }, t0), { perSecond: 1, burst: 1 }, t0);
    expect(waitForToken(empty, { perSecond: 0.1, burst: 1 }, t0)).toBe(10_000);
    expect(waitForToken({ tokens: 50, at: t0 }, { perSecond: 1, burst: 2 }, t0)).toBe(0);
    expect(takeToken({ tokens: 50, at: t0 }, { perSecond: 1, burst: 2 }, t0).tokens).toBe(1);
  });

  const paces = fc.record({
    perSecond: fc.double({ min: 0.0001, max: 50, noNaN: true }),
    burst: fc.integer({ min: 1, max: 20 }),
  });

  test('in the long run it is within five per cent of the rate', () => {
    fc.assert(
      fc.property(paces, ({ perSecond, burst }) => {
        const after = takeAll({ perSecond, burst }, burst + 200).at(-1) ?? 0;
        const meant = (200 / perSecond) * 1_000;
        expect(after).toBeGreaterThanOrEqual(meant - 1);
        expect(after).toBeLessThanOrEqual(meant * 1.05 + 1);
      }),
    );
  });

  test('no window ever sees more than the burst and what the rate gives', () => {
    const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat(20_000)), { maxLength: 60 });
    fc.assert(
      fc.property(paces, steps, (pace, gaps) => {
        const times: number[] = [];
        let now = t0;
        let bucket: Bucket = fullBucket(pace, now);
        for (const gap of gaps) {
          now += gap;
          // Somebody who asks at any moment, and takes only when told that a token is there.
          while (waitForToken(bucket, pace, now) === 0) {
            bucket = takeToken(bucket, pace, now);
            times.push(now);
          }
        }
        const excess = times.flatMap((from, first) =>
          times.slice(first).map((to, taken) => taken + 1 - pace.burst - ((to - from) / 1_000) * pace.perSecond),
        );
        expect(Math.max(0, ...excess)).toBeLessThan(1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test('whoever waited as told finds a token', () => {
    const bucket = fc.record({ tokens: fc.double({ min: 0, max: 20, noNaN: true }), at: fc.constant(t0) });
    fc.assert(
      fc.property(paces, bucket, fc.nat(100_000), (pace, some, later) => {
        const now = t0 + later;
        const wait = waitForToken(some, pace, now);
        expect(waitForToken(some, pace, now + wait)).toBe(0);
        if (wait > 0) expect(waitForToken(some, pace, now + wait / 2)).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('a bucket survives being written down', () => {
    const bucket = takeToken(fullBucket({ perSecond: 3, burst: 5 }, t0), { perSecond: 3, burst: 5 }, t0 + 7);
    expect(JSON.parse(JSON.stringify(bucket))).toEqual(bucket);
  });
});

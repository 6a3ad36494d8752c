import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyFor } from '../../src/config/policy-for.ts';
import { wantedSchedules } from '../../src/schedules/desired.ts';
import { loading } from '../config/loading.ts';
import { request } from './request.ts';

const wanted = (...given: Parameters<typeof request>) => {
  const [schedule] = wantedSchedules([request(...given)]);
  if (schedule === undefined) throw new TypeError('nothing wanted');
  return schedule;
};

describe('a wanted schedule', () => {
  test('is what the configuration comes to', () => {
    const config = loading('reconcile: {enabled: true, intervalSecs: 60, jitterPercent: 50}');
    const name = { metalake: 'a/b', catalog: 'c d' };
    const [schedule] = wantedSchedules([{ name, ...policyFor(config, name.metalake, name.catalog) }]);
    expect(schedule).toMatchObject({
      scheduleId: 'reconcile/a%2Fb/c%20d',
      name,
      enabled: true,
      times: { everyMs: 60_000 },
      jitterMs: 30_000,
      catchupWindowMs: 60_000,
      tick: { v: 1, ...name, intervalMs: 60_000 },
    });
  });

  test.each([
    ['an hour', request('a'), 720_000],
    ['no jitter', request('a', { jitterPercent: 0 }), 0],
    ['a cron expression', request('a', { schedule: { cron: '0 3 * * *' }, intervalMs: 86_400_000 }), 300_000],
    ['a dense one', request('a', { schedule: { cron: '* * * * *' }, intervalMs: 60_000 }), 12_000],
  ])('has its jitter: %s', (_name, given, jitterMs) => {
    expect(wantedSchedules([given])[0]?.jitterMs).toBe(jitterMs);
  });

  test('has an offset inside its interval, in whole seconds, the same each time', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 10, max: 31_536_000 }), (catalog, seconds) => {
        fc.pre(!/\p{Surrogate}/u.test(catalog));
        const given = { schedule: { intervalMs: seconds * 1_000 }, intervalMs: seconds * 1_000 };
        const { times } = wanted(catalog, given);
        expect(wanted(catalog, given).times).toEqual(times);
        if (!('everyMs' in times)) throw new TypeError('no interval');
        expect(times.offsetMs % 1_000).toBe(0);
        expect(times.offsetMs).toBeGreaterThanOrEqual(0);
        expect(times.offsetMs).toBeLessThan(times.everyMs);
      }),
    );
  });

  test('spreads catalogs over the interval', () => {
    const quarters = [0, 0, 0, 0];
    for (let index = 0; index < 400; index += 1) {
      const { times } = wanted(`catalog-${index}`);
      if ('everyMs' in times) quarters[Math.floor((4 * times.offsetMs) / times.everyMs)]! += 1;
    }
    expect(Math.min(...quarters)).toBeGreaterThan(60);
  });

  test('has a digest that changes with every part of it but whether it runs', () => {
    const variants = [
      wanted('a'),
      wanted('b'),
      wanted('a', { jitterPercent: 19 }),
      wanted('a', { schedule: { intervalMs: 60_000 }, intervalMs: 60_000 }),
      wanted('a', { schedule: { cron: '0 3 * * *' } }),
      wanted('a', { schedule: { cron: '0 4 * * *' } }),
    ];
    expect(new Set(variants.map(({ digest }) => digest)).size).toBe(variants.length);
    expect(wanted('a', { enabled: false }).digest).toBe(wanted('a').digest);
    expect(wanted('a', { schedule: { cron: ' 0 3 * * * ' } }).digest).toBe(
      wanted('a', { schedule: { cron: '0 3 * * *' } }).digest,
    );
  });
});

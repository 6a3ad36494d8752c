import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutLanes, maxLanes, maxRanges, rangeBudgetMs } from '../../src/domain/lanes.ts';
import { hour } from '../support/builders.ts';

describe('lanes', () => {
  test.each([
    ['nothing to ask', 0, []],
    ['one row', 1, [[0, 1]]],
    ['too few for two', 500, [[0, 500]]],
    [
      'enough for two',
      501,
      [
        [0, 250],
        [250, 501],
      ],
    ],
    [
      'enough for all',
      2_001,
      [
        [0, 500],
        [500, 1_000],
        [1_000, 1_500],
        [1_500, 2_001],
      ],
    ],
    [
      'a million',
      1_000_000,
      [
        [0, 250_000],
        [250_000, 500_000],
        [500_000, 750_000],
        [750_000, 1_000_000],
      ],
    ],
  ])('%s', (_name, rows, ranges) => {
    expect(cutLanes(rows)).toEqual(ranges.map(([from, to]) => ({ from, to })));
  });

  test('cover every row exactly once, and never number more than allowed', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), fc.integer({ min: -1, max: 9 }), (rows, wanted) => {
        const lanes = cutLanes(rows, wanted);
        expect(lanes.length).toBeLessThanOrEqual(Math.max(1, Math.min(wanted, maxLanes)));
        const edges = [0, ...lanes.map(({ to }) => to)];
        expect(lanes.map(({ from }) => from)).toEqual(edges.slice(0, -1));
        expect(edges.at(-1)).toBe(rows);
        const lengths = lanes.map(({ from, to }) => to - from);
        expect(Math.min(1, ...lengths)).toBe(1);
        expect(Math.max(0, ...lengths) - Math.min(...lengths, rows)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });

  test('are no more than asked for', () => {
    expect(cutLanes(100_000, 2)).toHaveLength(2);
    expect(cutLanes(100_000, 0)).toHaveLength(1);
    expect(cutLanes(100_000, 99)).toHaveLength(maxLanes);
  });
});

describe('the time of one probe activity', () => {
  const budgets = Array.from({ length: maxRanges }, (_unused, ranges) => rangeBudgetMs(ranges));

  test('is ten seconds in any usual round', () => {
    expect(new Set(budgets.slice(0, 200))).toEqual(new Set([10_000]));
  });

  test('never shrinks while a round goes on', () => {
    expect(budgets).toEqual(budgets.toSorted((a, b) => a - b));
    expect(budgets.at(-1)).toBeGreaterThan(10_000);
  });

  test('stays far below the ten minutes that the activity has, however long the round', () => {
    expect(rangeBudgetMs(1_000_000)).toBe(160_000);
  });

  test('lets the most ranges of a round last hours, not days', () => {
    const total = budgets.reduce((sum, budget) => sum + budget, 0);
    expect(total).toBeGreaterThan(4 * hour);
    expect(total).toBeLessThan(5 * hour);
  });
});

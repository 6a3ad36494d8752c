import { describe, expect, test } from 'vitest';
import { cronProblem, shortestGapMs } from '../../src/config/cron.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('a cron expression', () => {
  test.each([
    ['* * * * *', minute],
    ['*/5 * * * *', 5 * minute],
    ['*/7 * * * *', 4 * minute],
    ['0 3 * * *', day],
    ['0,10 3 * * *', 10 * minute],
    ['0 9,23 * * *', 10 * hour],
    ['59 0,23 * * *', hour],
    ['30 2 * * 1', 7 * day],
    ['0 0 * * 1-5', day],
    ['0 0 * * sun,WED', 3 * day],
    ['0 0 1 * *', 28 * day],
    ['0 0 31 * *', 31 * day],
    ['0 0 29 2 *', (3 * 365 + 366) * day],
    ['0 12 1 jan *', 365 * day],
  ])('%s has its shortest gap', (expression, gap) => {
    expect(cronProblem(expression)).toBeUndefined();
    expect(shortestGapMs(expression)).toBe(gap);
  });

  test.each([
    ['0 3', /five fields/],
    ['0 0 3 * * *', /five fields/],
    ['@daily', /five fields/],
    ['TZ=UTC 0 3 * * *', /five fields/],
    ['0 0 L * *', /"L"/],
    ['H * * * *', /"H"/],
    ['0 0 ? * 1', /"\?"/],
    ['0 0 * * 1#2', /"1#2"/],
    ['0 0 * * 1L', /"1L"/],
    ['61 * * * *', /cannot be read/],
    ['0 22-2 * * *', /cannot be read/],
    ['0 0 30 2 *', /cannot be read/],
    ['0 0 13 * 5', /either/],
  ])('%s is refused', (expression, text) => {
    expect(cronProblem(expression)).toMatch(text);
  });
});

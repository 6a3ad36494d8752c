import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { key, openTestLedger, t0 } from '../api/api-house.ts';
import { seedCatalog } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type CliHouse, openCliHouse } from './cli-house.ts';

let at: TestLedger;
let house: CliHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  house = await openCliHouse(at);
  await seedCatalog(at.db);
});
afterEach(() => house.close());
afterAll(() => at.close());

describe('audit', () => {
  const note = (subject: string, reason: string) =>
    at.ledger.audit.note({
      at: t0,
      catalog: key,
      actor: { name: 'anna', verified: false, via: 'cli' },
      action: 'paused',
      subject,
      detail: { reason },
    });

  test('is the newest first, with who, what, to what and why', async () => {
    expect((await house.cli('audit', 'lake/shop')).out).toBe('Nothing is on record.\n');
    await note('first', 'because');
    await note('second', 'word '.repeat(40).trim());
    const { code, out } = await house.cli('audit');
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+Z {2}\d+ {2}paused by anna \(unverified\)\n {4}second \(word/);
    expect(out.indexOf('second')).toBeLessThan(out.indexOf('first (because)'));
    expect(out.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  test('goes on where the page ended, in both directions', async () => {
    for (const subject of ['a', 'b', 'c']) await note(subject, '');
    const subjects = async (...args: readonly string[]) =>
      JSON.parse((await house.cli('audit', 'lake/shop', '--json', ...args)).out) as {
        entries: { id: number; subject: string }[];
      };
    const newest = await subjects('--limit', '2');
    expect(newest.entries.map(({ subject }) => subject)).toEqual(['c', 'b']);
    expect((await house.cli('audit', '--limit', '2')).err).toContain('There are older ones');
    const after = await subjects('--after', String((newest.entries.at(-1)?.id ?? 0) - 1));
    expect(after.entries.map(({ subject }) => subject)).toEqual(['b', 'c']);
    const before = await house.app.inject({ url: `/api/audit?before=${newest.entries.at(-1)?.id ?? 0}` });
    expect(before.json()).toMatchObject({ entries: [{ subject: 'a' }] });
  });
});

describe('policies', () => {
  test('are a line a catalog, and everything about one', async () => {
    await at.ledger.catalogs.applyPolicy({
      catalog: key,
      policy: { ...defaultPolicy, misses: 7, graceMs: 2 * 3_600_000, protect: ['finance/**', 'hr'] },
      intervalMs: 900_000,
      actor: { name: 'anna', verified: false, via: 'cli' },
      now: t0,
    });
    const all = await house.cli('policies');
    expect(all.code).toBe(0);
    expect(all.out).toMatch(/^1 +report-only +7 +2 h .* lake\/shop$/m);
    expect(all.out).toMatch(/^0 +report-only .* lake\/empty$/m);
    const one = await house.cli('policies', 'lake/shop');
    for (const line of ['lake/shop: version 1', '  interval: 15 min', '  protect: finance/**, hr', '  include: none']) {
      expect(one.out.split('\n')).toContain(line);
    }
    expect(one.out.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(JSON.parse((await house.cli('policies', 'lake/shop', '--json')).out)).toMatchObject({
      catalog: 'lake/shop',
      policy: { version: 1, policy: { misses: 7 } },
    });
  });

  test('of a catalog that nobody knows are an error that says what to type', async () => {
    const { code, err } = await house.cli('policies', 'lake/shpo');
    expect([code, err]).toEqual([1, expect.stringMatching(/has no catalog shpo[\s\S]*What there is: npx .* catalogs/)]);
  });
});

test.each([['--help'], ['override', '--help'], ['stale', '--help'], ['doctor', '--help']])(
  'help fits a terminal: %s %s',
  async (...args) => {
    const { code, out } = await house.cli(...args);
    expect(code).toBe(0);
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  },
);

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import type { Coverage } from './coverage.ts';
import { explore } from './explore.ts';
import type { History } from './history.ts';
import { mustHappenSoon } from './must-happen.ts';
import { play } from './play.ts';

/**
 * For so long, on the embedded ledger, and longer only while something has not happened yet. test/services plays
 * thousands.
 */
const forMs = 30_000;
const atMost = 120;

describe('the simulated world', () => {
  let ledger: TestLedger;

  beforeAll(async () => {
    ledger = await openTestLedger();
  });
  beforeEach(() => ledger.reset());
  afterAll(() => ledger.close());

  const kept = new URL('./histories/', import.meta.url);
  test.each(readdirSync(kept))('%s, which broke a rule once, breaks none', async (file) => {
    await play(JSON.parse(readFileSync(new URL(file, kept), 'utf8')) as History, ledger);
  });

  test('random histories break no rule, and enough happens in them', { timeout: 300_000 }, async () => {
    const lacks = (seen: Coverage): boolean => seen.missing(mustHappenSoon).length > 0;
    const { failure, coverage } = await explore(ledger, { start: 1, count: atMost, forMs, lacks });
    expect(failure).toBeUndefined();
    expect(coverage.missing(mustHappenSoon)).toEqual([]);
  });
});

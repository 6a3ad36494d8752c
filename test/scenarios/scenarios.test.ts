import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { explore } from './explore.ts';
import type { History } from './history.ts';
import { mustHappenSoon } from './must-happen.ts';
import { play } from './play.ts';

/** As many as half a minute of an idle machine plays on the embedded ledger; test/services plays thousands. */
const count = 40;

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
    const { failure, coverage, played } = await explore(ledger, { start: 1, count });
    expect(failure).toBeUndefined();
    expect(played).toBe(count);
    expect(coverage.missing(mustHappenSoon)).toEqual([]);
  });
});

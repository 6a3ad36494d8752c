import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestLedger } from '../api/api-house.ts';
import { seedCatalog, seedFinding } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type CliHouse, openCliHouse } from './cli-house.ts';

let at: TestLedger;
let house: CliHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  house = await openCliHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

test('a pattern is kept, listed, and taken back by the command that was suggested', async () => {
  await seedFinding(at.db, 'a');
  const ordered = await house.cli('keep', 'lake/shop', '--pattern', 'sales/**', '--as', 'anna');
  expect(ordered).toMatchObject({ code: 0 });
  expect(ordered.out).toBe('Whatever matches sales/** in lake/shop is kept for good.\n  1 open finding matches now.\n');
  const id = ordered.err.match(/unkeep lake\/shop (\S+)/)?.[1] ?? '';
  const listed = await house.cli('keeps', 'lake/shop');
  expect(listed.out).toMatch(new RegExp(`active +\\S+ +for good +anna +${id} +sales/\\*\\*`));
  const ended = await house.cli('unkeep', 'lake/shop', id);
  expect(ended).toMatchObject({ code: 0, out: 'sales/** is no longer kept; 1 findings were kept by it.\n' });
  expect((await house.cli('unkeep', 'lake/shop', 'nothing')).code).toBe(1);
});

test('a pattern stands alone', async () => {
  const both = await house.cli('keep', 'lake/shop', 'sales/a', '--pattern', 'sales/**');
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining('one of them') });
  expect((await house.cli('keep', 'lake/shop', '--all', '--pattern', 'sales/**')).code).toBe(2);
  expect((await house.cli('keeps', 'lake/shop')).out).toBe('lake/shop has no standing keep.\n');
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { key, openTestLedger, t0 } from '../api/api-house.ts';
import { seedCatalog, seedRemoval, seedSaved } from '../ledger/seed.ts';
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
  await seedRemoval(at.db, 'i1', { entity: 'entity at sales/a', path: 'sales/a' });
  await seedSaved(at.db, 'i1', ['sales/a']);
  house = await openCliHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

function reviewAnswers(outcome: 'restored' | 'refused', reason: string): void {
  house.gateway.review = async () => {
    const step = await at.ledger.removals.next(key, t0);
    if (step.step !== 'restore') return;
    const warnings =
      outcome === 'refused'
        ? []
        : [{ path: ['sales', 'a'] as const, what: 'secret password: secrets are never saved' }];
    await at.ledger.restores.settle({ id: step.restore, outcome, reason, warnings, entities: 1, now: t0 });
  };
}

test('what `removals` suggests undoes the removal, and tells what did not come back', async () => {
  expect((await house.cli('removals', 'lake/shop')).err).toContain('restore lake/shop i1');
  reviewAnswers('restored', '');
  const { code, out } = await house.cli('restore', 'lake/shop', 'i1', '--reason', 'needed', '--as', 'anna');
  expect(code).toBe(0);
  expect(out).toBe(
    [
      'Registered again: 1 entry, kept for 7 days.',
      'What could not be given back:',
      '  sales/a: secret password: secrets are never saved',
      '',
    ].join('\n'),
  );
  const [restore] = await at.ledger.restores.ofRemoval('i1');
  expect(restore).toMatchObject({ actor: { name: 'anna', via: 'cli' }, reason: 'needed' });
});

test('a registry that refuses fails the command and says why', async () => {
  reviewAnswers('refused', 'already-exists');
  const { code, out } = await house.cli('restore', 'lake/shop', 'i1');
  expect([code, out]).toEqual([1, expect.stringContaining('already-exists')]);
});

test('while Temporal is away it is told as on record, not as done', async () => {
  house.gateway.away = true;
  const { code, out, err } = await house.cli('restore', 'lake/shop', 'i1');
  expect([code, out]).toEqual([0, expect.stringContaining('on record and not carried out yet')]);
  expect(err).toContain('Ask again');
});

test('a removal that nobody knows is refused', async () => {
  const { code, err } = await house.cli('restore', 'lake/shop', 'nothing');
  expect([code, err]).toEqual([1, expect.stringContaining('No such removal.')]);
});

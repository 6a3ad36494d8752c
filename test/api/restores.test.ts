import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedCatalog, seedRemoval, seedSaved } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  house.gateway.away = false;
  house.gateway.review = undefined;
  house.gateway.woken.length = 0;
  await seedRemoval(at.db, 'i1', { entity: 'entity at sales/a', path: 'sales/a' });
  await seedSaved(at.db, 'i1', ['sales/a']);
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const get = (what: string) => house.app.inject({ url: `${shopAddress}/${what}` });
const restore = (removal: string, headers: Record<string, string> = {}, payload: object = {}) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/removals/${removal}/restore`, headers, payload });

/** Lets the review carry out what is wished, as soon as it is woken. */
function reviewRestores(outcome: 'restored' | 'refused', reason = 'a test'): void {
  house.gateway.review = async () => {
    const step = await at.ledger.removals.next(key, t0);
    if (step.step !== 'restore') throw new Error(`the review has another step: ${step.step}`);
    const warnings = [{ path: ['sales', 'a'], what: 'secret password: secrets are never saved' }] as const;
    await at.ledger.restores.settle({ id: step.restore, outcome, reason, warnings, entities: 1, now: t0 });
  };
}

describe('POST …/removals/{id}/restore', () => {
  test('answers with the outcome and every warning as soon as the review has carried it out', async () => {
    reviewRestores('restored');
    const answer = await restore('i1', { 'x-actor': 'anna' }, { reason: 'it is needed' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      removal: 'i1',
      state: 'settled',
      outcome: 'restored',
      reason: 'it is needed',
      actor: { name: 'anna' },
      warnings: [{ path: 'sales/a', what: 'secret password: secrets are never saved' }],
      entities: 1,
    });
    expect(house.gateway.woken).toEqual(['restore']);
    const detail = (await get('removals/i1')).json();
    expect(detail).toMatchObject({ removal: { id: 'i1', outcome: 'removed' }, restores: [answer.json()] });
  });

  test('tells that the registry refused, and why', async () => {
    reviewRestores('refused', 'already-exists');
    const answer = await restore('i1');
    expect([answer.statusCode, answer.json().outcome, answer.json().outcomeReason]).toEqual([
      200,
      'refused',
      'already-exists',
    ]);
  });

  test('that outlasts the wait is 202 with an address to ask, and is done there later', async () => {
    const answer = await restore('i1', { prefer: 'wait=0' });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ state: 'requested', warnings: [] });
    expect(answer.headers['retry-after']).toBe('2');
    const { location } = answer.headers;
    expect(location).toBe(`${shopAddress}/restores/${answer.json().id}`);
    reviewRestores('restored');
    await house.gateway.wakeReview({ metalake: 'lake', catalog: 'shop' }, 'a test');
    const later = await house.app.inject({ url: String(location) });
    expect(later.json()).toMatchObject({ id: answer.json().id, outcome: 'restored' });
  });

  test('while Temporal is away is on record all the same, and is not waited for', async () => {
    house.gateway.away = true;
    const answer = await restore('i1');
    expect([answer.statusCode, answer.json().state]).toEqual([202, 'requested']);
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'restore', restore: answer.json().id });
  });

  test('sent again with the same key is the same wish, whatever became of it', async () => {
    const first = await restore('i1', { prefer: 'wait=0', 'idempotency-key': 'k' });
    reviewRestores('restored');
    const again = await restore('i1', { 'idempotency-key': 'k' });
    expect([again.statusCode, again.json().id, again.json().outcome]).toEqual([200, first.json().id, 'restored']);
    const woken = house.gateway.woken.length;
    expect((await restore('i1', { 'idempotency-key': 'k' })).statusCode).toBe(200);
    expect(house.gateway.woken).toHaveLength(woken);
  });

  test('of what cannot be undone is refused with the reason', async () => {
    await seedRemoval(at.db, 'there', { outcome: 'present' });
    await seedRemoval(at.db, 'expired');
    expectProblem(await restore('nothing'), 'no-such-removal', 404);
    const reasons = async (removal: string) =>
      expectProblem(await restore(removal), 'cannot-be-undone', 409)['reason'] as { code: string };
    expect((await reasons('there')).code).toBe('not-removed');
    expect((await reasons('expired')).code).toBe('not-saved');
    reviewRestores('restored');
    await restore('i1');
    expect((await reasons('i1')).code).toBe('already-restored');
  });
});

describe('what nobody asked for', () => {
  test('is a problem of its own', async () => {
    expectProblem(await get('restores/nothing'), 'no-such-restore', 404);
    expectProblem(await get('removals/nothing'), 'no-such-removal', 404);
  });

  test('is not shown under another catalog', async () => {
    const { id } = (await restore('i1', { prefer: 'wait=0' })).json();
    const other = '/api/metalakes/lake/catalogs/empty';
    expectProblem(await house.app.inject({ url: `${other}/restores/${id}` }), 'no-such-restore', 404);
    expectProblem(await house.app.inject({ url: `${other}/removals/i1` }), 'no-such-removal', 404);
  });
});

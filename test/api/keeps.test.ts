import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day, seedCatalog, seedFinding } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
beforeEach(async () => {
  await at.reset();
  house.gateway.woken.length = 0;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const url = `${shopAddress}/keeps`;
const keep = (payload: object, headers: Record<string, string> = {}) =>
  house.app.inject({ method: 'POST', url, payload, headers });
const list = async () => (await house.app.inject({ url })).json().keeps;

describe('a standing keep', () => {
  test('is ordered, listed and taken back, and the finding tells which one keeps it', async () => {
    await seedCatalog(at.db);
    await seedFinding(at.db, 'a');
    const ordered = await keep(
      { pattern: 'sales/**', keepUntil: t0 + day, reason: 'migration' },
      { 'x-actor': 'anna' },
    );
    expect(ordered.json()).toEqual({
      keep: {
        id: expect.any(String),
        pattern: 'sales/**',
        actor: { name: 'anna', verified: false, via: 'api' },
        reason: 'migration',
        at: t0,
        keepUntil: t0 + day,
        state: 'active',
      },
      kept: 1,
    });
    const { id } = ordered.json().keep;
    expect(await list()).toEqual([ordered.json().keep]);
    const stale = (await house.app.inject({ url: `${shopAddress}/stale` })).json();
    expect(stale.findings[0]).toMatchObject({
      decision: { action: 'keep', standingKeep: id },
      approval: { possible: false, reason: 'kept', hint: expect.stringContaining(id) },
    });
    const ended = await house.app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { 'x-actor': 'ben' } });
    expect(ended.json()).toMatchObject({
      keep: { state: 'ended', ended: { by: { name: 'ben' } } },
      released: 1,
      woken: true,
    });
    expect(house.gateway.woken).toEqual(['a keep was taken back']);
    expect(await list()).toMatchObject([{ id, state: 'ended' }]);
  });

  test('sent again with its key is ordered once', async () => {
    const headers = { 'idempotency-key': 'k' };
    const first = await keep({ pattern: 'sales/**' }, headers);
    expect((await keep({ pattern: 'sales/**' }, headers)).json()).toEqual(first.json());
    expect(await list()).toHaveLength(1);
  });

  test('may be given before any round looked at the catalog', async () => {
    expect((await keep({ pattern: '**/archive_*' })).json()).toMatchObject({ kept: 0 });
  });

  test.each([
    ['a pattern that cannot be read', { pattern: 'sales/[' }],
    ['a time that is over', { pattern: 'a', keepUntil: t0 }],
  ])('with %s cannot stand', async (_what, payload) => {
    expectProblem(await keep(payload), 'unusable-keep', 409);
    expect(await at.ledger.keeps.list('lake/shop', 9, t0)).toEqual([]);
  });

  test.each([
    ['an empty pattern', { pattern: '' }, 'body.pattern'],
    ['no pattern', {}, 'body.pattern'],
    ['no reason though one is named', { pattern: 'a', reason: ' ' }, 'body.reason'],
  ])('with %s is refused', async (_what, payload, field) => {
    const { errors } = expectProblem(await keep(payload), 'invalid-request', 400) as { errors: { field: string }[] };
    expect(errors.map((error) => error.field)).toEqual([field]);
    expect(await at.ledger.keeps.list('lake/shop', 9, t0)).toEqual([]);
  });

  test('of an unknown id or catalog is not there', async () => {
    await seedCatalog(at.db);
    expectProblem(await house.app.inject({ method: 'DELETE', url: `${url}/nothing` }), 'no-such-keep', 404);
    const elsewhere = '/api/metalakes/lake/catalogs/nobody/keeps';
    expectProblem(await house.app.inject({ url: elsewhere }), 'no-such-catalog', 404);
  });
});

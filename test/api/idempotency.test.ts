import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedCatalog } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
afterAll(async () => {
  await house.close();
  await at.close();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  Object.assign(house, { now: t0 });
  Object.assign(house.gateway, { away: false, slow: false, result: undefined, roundId: 'r1' });
  for (const done of [house.gateway.started, house.gateway.decided]) done.length = 0;
});

const day = 24 * 3_600_000;

function post(what: string, payload: object, key: string, more: Record<string, string> = {}) {
  return house.app.inject({
    method: 'POST',
    url: `${shopAddress}/${what}`,
    headers: { 'idempotency-key': key, ...more },
    payload,
  });
}

const lines = async () => (await at.ledger.audit.page({ limit: 100 })).map(({ action }) => action);

describe('a request sent again under its key', () => {
  test.each<[string, object, string]>([
    ['pause', { reason: 'a' }, 'paused'],
    ['accept-source', { reason: 'a' }, 'source-accepted'],
    ['import', {}, 'imported'],
    ['keeps', { pattern: 'sales/**' }, 'keep-ordered'],
  ])('is answered as before, and %s acts once', async (what, body, line) => {
    const first = await post(what, body, 'k');
    expect(first.statusCode).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    house.now += 60_000;
    const again = await post(what, body, 'k');
    expect([again.statusCode, again.headers['content-type']]).toEqual([200, first.headers['content-type']]);
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await lines()).filter((action) => action === line)).toHaveLength(1);
  });

  test('starts one round, and leads to it', async () => {
    const prefer = { prefer: 'wait=0' };
    const first = await post('reconcile', {}, 'k', prefer);
    house.gateway.roundId = 'r2';
    const again = await post('reconcile', {}, 'k', prefer);
    expect([first.statusCode, again.statusCode]).toEqual([202, 202]);
    expect(again.json()).toEqual(first.json());
    for (const name of ['location', 'retry-after']) expect(again.headers[name]).toBe(first.headers[name]);
    expect(house.gateway.started).toHaveLength(1);
  });

  test('is told the same end of a round that came to no conclusion', async () => {
    house.gateway.result = { end: 'failed' };
    const first = await post('reconcile', {}, 'k');
    house.gateway.result = { end: 'published' };
    expectProblem(first, 'round-failed', 502);
    const again = await post('reconcile', {}, 'k');
    expect([again.statusCode, again.json()]).toEqual([502, first.json()]);
    expect(house.gateway.started).toHaveLength(1);
  });

  test('is carried out again once a day is over', async () => {
    await post('pause', { reason: 'a' }, 'k');
    house.now += day - 1;
    expect((await post('pause', { reason: 'a' }, 'k')).headers['idempotent-replayed']).toBe('true');
    house.now += 1;
    expect((await post('pause', { reason: 'a' }, 'k')).headers).not.toHaveProperty('idempotent-replayed');
    expect(await lines()).toEqual(['paused', 'paused']);
  });

  test('is carried out now, where it was refused before', async () => {
    house.gateway.away = true;
    expectProblem(await post('reconcile', {}, 'k'), 'temporal-unavailable', 503);
    house.gateway.away = false;
    expect((await post('reconcile', {}, 'k')).statusCode).toBe(202);
    expect(house.gateway.started).toHaveLength(1);
  });

  test('is asked for again where it was only sent', async () => {
    house.gateway.slow = true;
    const items = [{ findingId: 'f', digest: 'd', action: 'keep' }];
    expect((await post('decisions', { items }, 'k')).statusCode).toBe(202);
    house.gateway.slow = false;
    expect((await post('decisions', { items }, 'k')).statusCode).toBe(200);
    expect((await post('decisions', { items }, 'k')).headers['idempotent-replayed']).toBe('true');
    expect(house.gateway.decided).toHaveLength(2);
  });
});

describe('a key', () => {
  test.each<[string, string, object, Record<string, string>]>([
    ['another body', 'pause', { reason: 'b' }, {}],
    ['another address', 'resume', { reason: 'a' }, {}],
    ['another principal', 'pause', { reason: 'a' }, { 'x-actor': 'somebody else' }],
  ])('is refused with %s', async (_what, what, body, headers) => {
    await post('pause', { reason: 'a' }, 'k');
    expectProblem(await post(what, body, 'k', headers), 'idempotency-key-reused', 422);
    expect(await lines()).toEqual(['paused']);
  });

  test('is the same whatever the order of members and the wait', async () => {
    await post('reconcile', { dryRun: true }, 'k', { prefer: 'wait=0' });
    await post('reconcile', { dryRun: true }, 'k', { prefer: 'wait=1' });
    expect(house.gateway.started).toHaveLength(1);
  });

  test('means something else in another catalog', async () => {
    await post('reconcile', {}, 'k');
    const url = '/api/metalakes/pond/catalogs/shop/reconcile';
    await house.app.inject({ method: 'POST', url, headers: { 'idempotency-key': 'k' }, payload: { dryRun: true } });
    expect(house.gateway.started).toHaveLength(2);
  });

  test.each(['', ' ', 'a b', 'ä', 'x'.repeat(201)])('is refused as %o', async (key) => {
    const answer = await post('pause', { reason: 'a' }, Buffer.from(key, 'utf8').toString('latin1'));
    expect(expectProblem(answer, 'invalid-request', 400).errors).toMatchObject([{ field: 'header.idempotency-key' }]);
    expect(await lines()).toEqual([]);
  });

  test('is free again when the first request was broken off', async () => {
    const keyed = { scope: 'lake/shop', key: 'k', attempt: 'of a process that was killed' };
    // as the plugin writes it down before it acts
    const first = await post('pause', { reason: 'a' }, 'other');
    expect(first.statusCode).toBe(200);
    const taken = await at.ledger.requestKeys.take({
      ...keyed,
      fingerprint: 'f',
      now: house.now,
      until: house.now + 5,
    });
    expect(taken).toEqual({ state: 'taken' });
    house.now += 5;
    expect((await post('pause', { reason: 'c' }, 'k')).statusCode).toBe(200);
    // and who was taken for broken off changes nothing any more
    await at.ledger.requestKeys.keep(keyed, { status: 200, headers: {}, body: 'mine' }, house.now + day);
    expect((await post('pause', { reason: 'c' }, 'k')).json()).toMatchObject({ catalog: { catalog: 'shop' } });
  });
});

test('while the first one is being answered, the second is told to come again', async () => {
  let go: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  let imports = 0;
  const slow = await openHouse(at, {
    importCatalog: async () => {
      imports += 1;
      await released;
      return { added: 1, existing: 0, skipped: 0 };
    },
  });
  const send = () =>
    slow.app.inject({ method: 'POST', url: `${shopAddress}/import`, headers: { 'idempotency-key': 'k' }, payload: {} });
  const first = send();
  await expect.poll(() => imports).toBe(1);
  const second = await send();
  expectProblem(second, 'idempotency-key-in-flight', 409);
  expect(second.headers['retry-after']).toBe('2');
  go();
  expect((await first).statusCode).toBe(200);
  expect((await send()).json()).toEqual((await first).json());
  expect(imports).toBe(1);
  await slow.close();
});

test('every route that acts in a catalog takes a key, and says so', () => {
  const acting = Object.entries(house.app.swagger().paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations ?? {}).flatMap(([method, operation]) => {
      const { parameters = [] } = operation as { parameters?: readonly { readonly name: string }[] };
      return method === 'get' ? [] : [{ path, takes: parameters.some(({ name }) => name === 'idempotency-key') }];
    }),
  );
  expect(acting.length).toBeGreaterThan(8);
  expect(acting.filter(({ takes }) => !takes)).toEqual([]);
});

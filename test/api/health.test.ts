import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, type HouseOptions, expectProblem, openHouse, openTestLedger } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
afterEach(() => house.close());
afterAll(() => at.close());

async function readiness(options: HouseOptions, prepare: (house: ApiHouse) => void = () => {}) {
  house = await openHouse(at, options);
  prepare(house);
  const answer = await house.app.inject({ url: '/readyz' });
  return { status: answer.statusCode, ...answer.json() };
}

const failing = (ping: () => Promise<void>): HouseOptions => ({ ledger: (real) => ({ ...real, ping }) });

describe('readiness', () => {
  test('asks the ledger and Temporal', async () => {
    expect(await readiness({})).toEqual({
      status: 200,
      ready: true,
      checks: { ledger: { ok: true }, temporal: { ok: true }, staying: { ok: true } },
    });
  });

  test('is gone with Temporal, and says so', async () => {
    const away = await readiness({}, ({ gateway }) => {
      gateway.away = true;
    });
    expect(away).toMatchObject({
      status: 503,
      ready: false,
      checks: { ledger: { ok: true }, temporal: { ok: false, why: 'does not answer' } },
    });
  });

  test('is gone with the ledger; only what was written to be shown is shown', async () => {
    const ours = new ReconcilerFailure('LedgerUnavailable', 'ECONNREFUSED', 'the ledger’s database is away');
    expect(await readiness(failing(() => Promise.reject(ours)))).toMatchObject({
      status: 503,
      checks: { ledger: { ok: false, why: ours.message }, temporal: { ok: true } },
    });
    await house.close();
    const theirs = new Error('connect ECONNREFUSED db.internal as admin');
    expect(await readiness(failing(() => Promise.reject(theirs)))).toMatchObject({
      checks: { ledger: { ok: false, why: 'does not answer' } },
    });
  });

  test('does not wait for who never answers', async () => {
    expect(await readiness(failing(() => new Promise(() => {})))).toMatchObject({
      status: 503,
      checks: { ledger: { ok: false, why: 'no answer within a second' }, temporal: { ok: true } },
    });
  });

  test('is gone once the process leaves, and new requests are refused while it still answers for its health', async () => {
    const leaving = new AbortController();
    house = await openHouse(at, { leaving: leaving.signal });
    leaving.abort();
    const ready = await house.app.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json().checks.staying.ok]).toEqual([503, false]);
    expect((await house.app.inject({ url: '/livez' })).json()).toEqual({ alive: true, version: '1.2.3' });
    const refused = await house.app.inject({ url: '/api/problems' });
    expectProblem(refused, 'shutting-down', 503);
    expect(refused.headers['retry-after']).toBe('5');
  });
});

test('health is asked without an actor, a host or an origin that anybody checks', async () => {
  house = await openHouse(at, { loopbackOnly: true });
  const headers = { host: '10.1.2.3:8080', 'x-actor': '\u0001', origin: 'https://elsewhere.example' };
  for (const url of ['/livez', '/readyz']) expect((await house.app.inject({ url, headers })).statusCode).toBe(200);
});

describe('the description of the API', () => {
  test('has every route with its answers, and is valid enough to be read', async () => {
    house = await openHouse(at);
    const { openapi, paths, info } = (await house.app.inject({ url: '/api/openapi.json' })).json();
    expect([openapi, info.version]).toEqual(['3.1.0', '1.2.3']);
    const catalog = '/api/metalakes/{metalake}/catalogs/{catalog}';
    const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(catalog, '…')}`),
    );
    expect(routes.sort()).toEqual([
      'DELETE …/keeps/{keepId}',
      'GET /api/audit',
      'GET /api/overview',
      'GET /api/problems',
      'GET …/decisions',
      'GET …/keeps',
      'GET …/overrides',
      'GET …/policy',
      'GET …/policy/versions',
      'GET …/removals',
      'GET …/removals/{removalId}',
      'GET …/restores/{restoreId}',
      'GET …/rounds',
      'GET …/rounds/{roundId}',
      'GET …/rounds/{roundId}/absent',
      'GET …/rounds/{roundId}/events',
      'GET …/stale',
      'GET …/stale-schemas',
      'GET …/stale/selection',
      'GET …/stale/{findingId}',
      'PATCH …/policy',
      'POST …/accept-source',
      'POST …/decisions',
      'POST …/import',
      'POST …/keeps',
      'POST …/override',
      'POST …/override/{overrideId}/approve',
      'POST …/pause',
      'POST …/reconcile',
      'POST …/removals/{removalId}/restore',
      'POST …/resume',
    ]);
    const { get } = paths[`${catalog}/stale-schemas`];
    expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '202', '404', '503']));
    expect(get.responses['404']).toEqual({
      description: 'Not Found: `no-such-metalake`, `no-such-catalog`',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
    expect(get.responses['409'].description).toContain('source-changed');
    const answer = get.responses['200'].content['application/json'].schema;
    expect(answer.required).toEqual(['catalog', 'catalogUnreachable', 'staleSchemas']);
    expect(answer.properties.staleSchemas.items.required).toEqual(['name', 'detectedAt', 'removed']);
    const { post } = paths[`${catalog}/decisions`];
    expect(post.requestBody.content['application/json'].schema.anyOf[0].additionalProperties).toBe(false);
  });
});

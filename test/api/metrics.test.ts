import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/observability/metrics.ts';
import { seedCatalog } from '../ledger/seed.ts';
import { openHouse, openTestLedger, shopAddress, type ApiHouse, expectProblem } from './api-house.ts';
import type { TestLedger } from '../support/ledger.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const requestsIn = (page: string) =>
  page.split('\n').filter((line) => line.startsWith('reconciler_http_request_duration_seconds_count'));

describe('GET /metrics', () => {
  test('measures requests by route as declared, never by address', async () => {
    house = await openHouse(at, { metrics: createMetrics(['api']) });
    await house.app.inject({ url: `${shopAddress}/stale` });
    await house.app.inject({ url: `${shopAddress}/stale` });
    await house.app.inject({ url: '/api/nowhere/at/all' });
    const answer = await house.app.inject({ url: '/metrics' });
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(requestsIn(answer.body).sort()).toEqual([
      'reconciler_http_request_duration_seconds_count{method="GET",route="/api/metalakes/:metalake/catalogs/:catalog/stale",status="200"} 2',
      'reconciler_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    ]);
    await house.close();
  });

  test('serves no name that merely resolves to loopback', async () => {
    house = await openHouse(at, { metrics: createMetrics(['api']), loopbackOnly: true });
    const answer = await house.app.inject({ url: '/metrics', headers: { host: 'evil.example.com' } });
    expectProblem(answer, 'host-not-local', 421);
    await house.close();
  });

  test('takes a token where there are credentials', async () => {
    house = await openHouse(at, {
      metrics: createMetrics(['api']),
      authenticator: async () => ({ principal: { name: 'prometheus', roles: ['viewer'] } }),
    });
    expectProblem(await house.app.inject({ url: '/metrics' }), 'unauthenticated', 401);
    const headers = { authorization: 'Bearer abc' };
    expect((await house.app.inject({ url: '/metrics', headers })).statusCode).toBe(200);
    await house.close();
  });
});

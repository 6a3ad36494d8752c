import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedCatalog, seedFinding, digestOf } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

/** What is still answered, and how, while nobody carries anything out. */

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db, { hold: ['too-many-absent'] });
  await seedFinding(at.db, 'a');
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const items = () => [{ findingId: 'a', digest: digestOf('a'), action: 'keep' }];

describe.each<[string, 'workless' | 'away', string]>([
  ['no worker runs', 'workless', 'no-worker'],
  ['Temporal is away', 'away', 'temporal-unavailable'],
])('while %s', (_what, missing, type) => {
  beforeEach(() => {
    Object.assign(house.gateway, { workless: false, away: false, [missing]: true });
  });

  test.each<[string, 'GET' | 'POST', () => object]>([
    ['reconcile', 'POST', () => ({})],
    ['reconcile', 'POST', () => ({ dryRun: true })],
    ['decisions', 'POST', () => ({ items: items() })],
    ['stale-schemas', 'GET', () => ({})],
  ])('%s (%s) sends nothing, and says when to come again', async (what, method, body) => {
    const sent = method === 'GET' ? {} : { payload: body() };
    const answer = await house.app.inject({ method, url: `${shopAddress}/${what}`, ...sent });
    expectProblem(answer, type, 503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect([...house.gateway.started, ...house.gateway.decided]).toEqual([]);
  });

  test.each<[string, object]>([
    ['pause', { reason: 'a' }],
    ['resume', { reason: 'a' }],
    ['accept-source', { reason: 'a' }],
    ['override', { maxCount: 1, expiresInSecs: 60, reason: 'a' }],
  ])('%s is written down', async (what, payload) => {
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/${what}`, payload });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().woken).toBe(missing === 'workless'); // a signal waits at the server for a worker
  });

  test.each([
    'stale',
    'stale/selection?action=keep',
    'stale/a',
    'rounds',
    'removals',
    'decisions',
    'keeps',
    'policy',
    'overrides',
  ])('%s is read from the ledger', async (what) => {
    expect((await house.app.inject({ url: `${shopAddress}/${what}` })).statusCode).toBe(200);
  });
});

test('why a catalog was resumed is in the audit', async () => {
  Object.assign(house.gateway, { workless: false, away: false });
  await house.app.inject({ method: 'POST', url: `${shopAddress}/pause`, payload: { reason: 'a' } });
  await house.app.inject({ method: 'POST', url: `${shopAddress}/resume`, payload: { reason: 'it is mended' } });
  const entries = await at.ledger.audit.page({ catalog: key, limit: 10 });
  expect(entries.at(-1)).toMatchObject({ action: 'resumed', at: t0, detail: { reason: 'it is mended' } });
});

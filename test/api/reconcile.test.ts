import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { absentSchemas } from '../../src/api/reconcile/stale-schemas.ts';
import type { Path } from '../../src/domain/path.ts';
import { type Seen, absent, look, openInput, present, wholeRound } from '../ledger/rounds/scene.ts';
import { hour, seedCatalog } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  house = await openHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

const reconcile = (payload?: object, headers = {}) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers, ...(payload && { payload }) });
const staleSchemas = (headers = {}) => house.app.inject({ url: `${shopAddress}/stale-schemas`, headers });

/** The dry scan that the gateway will answer with is on record, with these verdicts. */
async function scanned(seen: readonly Seen[], now = t0): Promise<void> {
  await at.ledger.rounds.open(openInput('r1', { dry: true, now }));
  await look(at.ledger, 'r1', seen, now);
  await at.ledger.rounds.end({ id: 'r1', state: 'scanned', now });
  house.gateway.result = { end: 'scanned' };
}

describe('the two endpoints, to the letter', () => {
  test('every schema that this scan found absent, its levels joined by a dot, and nothing else', async () => {
    await scanned([
      { path: 'a', verdict: absent(), kind: 'schema' },
      { path: 'a/b', verdict: absent(), kind: 'schema' },
      { path: 'a/b/t', verdict: absent(), kind: 'table' },
      { path: 'dotted.name', verdict: absent(), kind: 'schema' },
      { path: 'there', verdict: present(), kind: 'schema' },
      { path: 'doubtful', verdict: { kind: 'unknown', code: 'timeout' }, kind: 'schema' },
    ]);
    const answer = await staleSchemas();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      catalog: 'shop',
      catalogUnreachable: false,
      staleSchemas: [
        { name: 'a', detectedAt: t0, removed: false },
        { name: 'a.b', detectedAt: t0, removed: false },
        { name: 'dotted.name', detectedAt: t0, removed: false },
      ],
    });
  });

  test('detectedAt is the first miss, not the last', async () => {
    await wholeRound(at.ledger, 'r0', [{ path: 'gone', verdict: absent() }], { now: t0 });
    await wholeRound(at.ledger, 'r1', [{ path: 'gone', verdict: absent() }], { now: t0 + hour });
    house.gateway.result = { end: 'published' };
    expect((await reconcile()).json()).toMatchObject({ staleSchemas: [{ name: 'gone', detectedAt: t0 }] });
  });

  test('all of them, however many pages the ledger gives them in', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => ({
      entity: `id ${n}`,
      kind: 'schema' as const,
      path: [`s${String(n).padStart(4, '0')}`] as const,
      probedAt: t0,
      removed: false,
    }));
    const absentIn = async (_round: string, { after, limit }: { after?: Path; limit: number }) =>
      many.filter(({ path: [name] }) => after === undefined || name > after[0]).slice(0, limit);
    expect(await absentSchemas({ ...at.ledger.rounds, absent: absentIn }, 'r1')).toEqual(many);
  });

  test('an unreachable catalog says so and lists nothing', async () => {
    house.gateway.result = { end: 'unreachable' };
    const told = { catalog: 'shop', catalogUnreachable: true, staleSchemas: [] };
    expect((await staleSchemas()).json()).toEqual(told);
    expect((await reconcile({ dryRun: true })).json()).toEqual(told);
  });

  test.each([
    ['without a body', undefined, false],
    ['with an empty one', {}, false],
    ['with dryRun false', { dryRun: false }, false],
    ['with dryRun true', { dryRun: true }, true],
  ])('POST %s', async (_how, payload, dry) => {
    await reconcile(payload, { 'x-actor': 'anna' });
    expect(house.gateway.started).toEqual([
      { name: { metalake: 'lake', catalog: 'shop' }, dry, actor: { name: 'anna', verified: false, via: 'api' } },
    ]);
  });

  test('POST with an announced type and an empty body starts a round', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers });
    expect(answer.statusCode).toBe(202);
  });

  test('GET looks only', async () => {
    await staleSchemas();
    expect(house.gateway.started.map(({ dry }) => dry)).toEqual([true]);
  });
});

describe('a round that came to no conclusion is an error, never an empty list', () => {
  const reason = { type: 'RegistryUnreachable', code: 'ECONNREFUSED', message: 'the registry does not answer' };
  test.each([
    ['failed', 'round-failed', 502],
    ['incomplete', 'round-incomplete', 502],
    ['source-changed', 'source-changed', 409],
    ['cancelled', 'round-cancelled', 409],
  ] as const)('%s', async (end, type, status) => {
    house.gateway.result = { end, reason };
    const problem = expectProblem(await reconcile(), type, status);
    expect(problem).toMatchObject({ reason, detail: expect.stringContaining(reason.message) });
    // the mend of the failure, which knows more than the one of the round
    expect(problem.mend).toBe('Check that the registry runs and that its address is right.');
  });

  test('and without a reason it still says what happened', async () => {
    house.gateway.result = { end: 'cancelled' };
    expect(expectProblem(await reconcile(), 'round-cancelled', 409)).not.toHaveProperty('reason');
  });
});

describe('a name that resolves to nothing is an error, never an empty success (B32)', () => {
  test.each([
    ['/api/metalakes/lake/catalogs/nothing', 'no-such-catalog'],
    ['/api/metalakes/nowhere/catalogs/shop', 'no-such-metalake'],
  ])('%s', async (base, type) => {
    expectProblem(await house.app.inject({ method: 'POST', url: `${base}/reconcile` }), type, 404);
    expectProblem(await house.app.inject({ url: `${base}/stale-schemas` }), type, 404);
    expect(house.gateway.started).toEqual([]);
  });

  test('a catalog that the ledger remembers and the registry denies is not scanned', async () => {
    await seedCatalog(at.db);
    house.lake.names.delete('shop');
    expectProblem(await reconcile(), 'no-such-catalog', 404);
  });

  test('a registry that does not answer denies nothing', async () => {
    await seedCatalog(at.db);
    house.lake.away = true;
    expect((await reconcile()).statusCode).toBe(202);
    const unknown = await house.app.inject({ method: 'POST', url: '/api/metalakes/lake/catalogs/empty/reconcile' });
    expectProblem(unknown, 'registry-failed', 502);
  });
});

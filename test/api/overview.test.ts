import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciler } from '../../src/domain/actor.ts';
import { pathText } from '../../src/domain/path.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { openInput } from '../ledger/rounds/scene.ts';
import { decideOne, hour, ripe, seedCatalog, seedFinding } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  if (house !== undefined) await house.close();
  house = await openHouse(at);
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const overview = async (query = '') => (await house.app.inject({ url: `/api/overview${query}` })).json();
const addresses = async (query = '') =>
  (await overview(query)).catalogs.map(({ address }: { address: string }) => address);

describe('catalogs at a glance', () => {
  test('show where each stands: state, hold, counts, last round, policy', async () => {
    await seedCatalog(at.db, { hold: ['new-epoch'] });
    await at.ledger.rounds.open(openInput('r9', { now: t0 + hour }));
    await at.ledger.catalogs.applyPolicy({
      catalog: key,
      policy: { ...defaultPolicy, mode: 'auto-remove' },
      intervalMs: hour,
      actor: reconciler,
      now: t0,
    });
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b', { standing: ripe({ due: true, waits: [] }) });
    await decideOne(at.ledger, 'a', 'approve');
    const [, shop] = (await overview()).catalogs;
    expect(shop).toMatchObject({
      metalake: 'lake',
      catalog: 'shop',
      address: 'lake/shop',
      registered: 'yes',
      state: 'ok',
      stateText: expect.any(String),
      hold: [{ code: 'new-epoch', text: expect.any(String) }],
      published: { round: 'r7', at: t0 },
      lastRound: { id: 'r9', state: 'running', dry: false, startedAt: t0 + hour },
      open: 2,
      approved: 1,
      policy: { mode: 'auto-remove', version: 1 },
    });
    expect({ due: shop.due }).toEqual({ due: (await at.ledger.findings.count(key, t0)).due });
  });

  test('hold what the registries list and what the ledger remembers, each once, in order', async () => {
    await seedCatalog(at.db);
    await seedCatalog(at.db, { key: 'lake/forgotten', name: 'forgotten', publishedRound: 'r8' });
    const { catalogs } = await overview();
    expect(catalogs.map(({ address, registered }: Record<string, string>) => [address, registered])).toEqual([
      ['lake/empty', 'yes'],
      ['lake/forgotten', 'no'],
      ['lake/shop', 'yes'],
      ['pond/shop', 'yes'],
    ]);
    expect(catalogs[0]).toMatchObject({ state: 'never-scanned', open: 0, policy: { mode: 'report-only', version: 0 } });
  });

  test('a registry that does not answer hides nothing', async () => {
    await seedCatalog(at.db);
    house.lake.away = true;
    const { catalogs, metalakes } = await overview();
    expect(catalogs.map(({ address, registered }: Record<string, string>) => [address, registered])).toEqual([
      ['lake/shop', 'unknown'],
      ['pond/shop', 'yes'],
    ]);
    expect(metalakes).toEqual([
      { name: 'lake', registry: 'embedded', answered: false, why: 'the registry is away' },
      { name: 'pond', registry: 'embedded', answered: true },
    ]);
  });

  test('are found by metalake and by name, and read page by page', async () => {
    expect(await addresses('?name=shop')).toEqual(['lake/shop', 'pond/shop']);
    expect(await addresses('?name=shop&metalake=pond')).toEqual(['pond/shop']);
    expect(await addresses('?name=nothing')).toEqual([]);
    const first = await overview('?limit=2');
    expect(await addresses(`?limit=2&cursor=${first.next}`)).toEqual(['pond/shop']);
    const cursor = Buffer.from(JSON.stringify(['stale', 'lake/shop'])).toString('base64url');
    expectProblem(await house.app.inject({ url: `/api/overview?cursor=${cursor}` }), 'invalid-cursor', 404);
  });

  test('are told while Temporal is away', async () => {
    house.gateway.away = true;
    expect(await addresses()).toHaveLength(3);
  });
});

test('the policy in force is told with its version, report-only where none was ever applied', async () => {
  const policy = async () => (await house.app.inject({ url: `${shopAddress}/policy` })).json();
  expect(await policy()).toMatchObject({ version: 0, policy: { mode: 'report-only', misses: 2 } });
  await at.ledger.catalogs.ensure('lake', 'shop', t0);
  const next = { ...defaultPolicy, modeByKind: { view: 'auto-remove' as const }, protect: ['public', 'audit/*'] };
  await at.ledger.catalogs.applyPolicy({ catalog: key, policy: next, intervalMs: hour, actor: reconciler, now: t0 });
  expect(await policy()).toEqual({ version: 1, intervalMs: hour, source: 'configuration', policy: next });
});

describe('B35 names that are legal at the source', () => {
  const names = ['50%off', 'a%2Fb', 'a b', 'x+y', 'a/b', 'v1.2', '..', '?q=1#f', 'Größe', '😀', 'a&b=c', "it's"];

  test.each(names)('%s is read, started and decided on under its own address', async (name) => {
    house.lake.names.add(name);
    const listed = (await overview(`?${new URLSearchParams({ name }).toString()}`)).catalogs;
    expect(listed).toMatchObject([{ catalog: name }]);
    // WHATWG URLs fold `..` away, encoded or not; over the wire it is a segment like any other (http.test.ts)
    if (name === '..') return;
    const base = `/api/metalakes/lake/catalogs/${encodeURIComponent(name)}`;
    expect((await house.app.inject({ url: `${base}/stale` })).json()).toMatchObject({ catalog: { catalog: name } });
    const started = await house.app.inject({ method: 'POST', url: `${base}/reconcile` });
    expect(house.gateway.started.at(-1)?.name).toEqual({ metalake: 'lake', catalog: name });
    expect(started.headers.location).toBe(`${base}/rounds/r1`);
    await house.app.inject({ method: 'POST', url: `${base}/pause`, payload: { reason: 'why' } });
    const [paused] = (await overview(`?${new URLSearchParams({ name }).toString()}`)).catalogs;
    expect(paused).toMatchObject({ catalog: name, pause: { reason: 'why' } });
  });

  test.each(names)('a finding at %s is read by path and by id as the same', async (name) => {
    await seedCatalog(at.db);
    const path = pathText(['sales', name]);
    await seedFinding(at.db, 'f1', { path });
    const byPath = await house.app.inject({ url: `${shopAddress}/stale?${new URLSearchParams({ path }).toString()}` });
    const byId = await house.app.inject({ url: `${shopAddress}/stale/f1` });
    expect(byPath.json().findings).toEqual([byId.json().finding]);
    expect(byId.json().finding).toMatchObject({ path, segments: ['sales', name] });
  });
});

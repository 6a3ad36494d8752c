import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciler } from '../../src/domain/actor.ts';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { overrides, removals } from '../../src/ledger/schema.ts';
import { audited, hour, minute, seedCatalog, seedFinding } from '../ledger/seed.ts';
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
  house.gateway.away = false;
  house.gateway.woken.length = 0;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const post = (what: string, payload?: object, headers = {}) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/${what}`, headers, ...(payload && { payload }) });

describe('pause, resume, accept-source', () => {
  test('a pause is written down with who and why, wakes the review, and a resume ends it', async () => {
    await seedCatalog(at.db);
    const paused = await post('pause', { reason: 'migration week' }, { 'x-actor': 'anna' });
    expect(paused.json()).toMatchObject({
      catalog: { address: key, pause: { by: 'anna', reason: 'migration week', at: t0 } },
      woken: true,
    });
    const resumed = await post('resume', undefined, { 'x-actor': 'ben' });
    expect(resumed.json().catalog).not.toHaveProperty('pause');
    expect(await audited(at.ledger)).toEqual([`paused by anna: ${key}`, `resumed by ben: ${key}`]);
    expect(house.gateway.woken).toEqual(['paused', 'resumed']);
  });

  test('a catalog may be paused before any round looked at it', async () => {
    expect((await post('pause', { reason: 'not yet' })).json()).toMatchObject({
      catalog: { state: 'never-scanned', pause: { reason: 'not yet' } },
    });
  });

  test('another source is accepted: what the old one said lets nothing go', async () => {
    await seedCatalog(at.db, { state: 'source-changed' });
    const accepted = await post('accept-source', { reason: 'restored from backup' });
    expect(accepted.statusCode).toBe(200);
    expect((await at.ledger.catalogs.catalog(key))?.fingerprint).toBeUndefined();
    expect(accepted.json().catalog.state).toBe((await at.ledger.catalogs.catalog(key))?.state);
  });

  test('what is written down stays so while Temporal is away, and the answer says that nobody was told', async () => {
    await seedCatalog(at.db);
    house.gateway.away = true;
    expect((await post('pause', { reason: 'why' })).json()).toMatchObject({ woken: false, catalog: { pause: {} } });
  });

  test.each(['pause', 'accept-source'])('%s asks why', async (what) => {
    for (const payload of [{}, { reason: ' ' }, { reason: 'x', until: 5 }]) {
      expectProblem(await post(what, payload), 'invalid-request', 400);
    }
  });

  test.each(['pause', 'resume', 'accept-source'])('%s of a catalog that nobody knows', async (what) => {
    const url = `/api/metalakes/lake/catalogs/nothing/${what}`;
    const payload = what === 'resume' ? {} : { reason: 'why' };
    expectProblem(await house.app.inject({ method: 'POST', url, payload }), 'no-such-catalog', 404);
  });
});

describe('an override', () => {
  const wish = { maxCount: 5, expiresInSecs: 600, reason: 'the old shop was closed' };

  test('lets what is held now go, up to a count, until it expires', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    for (const name of ['a', 'b']) await seedFinding(at.db, name);
    const answer = (await post('override', wish, { 'x-actor': 'anna' })).json();
    expect(answer).toMatchObject({
      override: { admits: 2, maxCount: 5, expiresAt: t0 + 10 * minute },
      catalog: { hold: [{ code: 'too-many-absent' }] },
      woken: true,
    });
    const [row] = await at.db.select().from(overrides);
    expect(row).toMatchObject({ id: answer.override.id, catalog: key, actor: { name: 'anna' }, reason: wish.reason });
  });

  test('sent twice under one key is one override, and the key of another catalog is another', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await seedCatalog(at.db, { key: 'pond/shop', metalake: 'pond', hold: ['all-absent'], publishedRound: 'r8' });
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'p', { catalog: 'pond/shop', movedBy: 'r8' });
    const headers = { 'idempotency-key': 'k' };
    await post('override', wish, headers);
    await post('override', wish, headers);
    const pond = '/api/metalakes/pond/catalogs/shop/override';
    expect((await house.app.inject({ method: 'POST', url: pond, payload: wish, headers })).statusCode).toBe(200);
    expect((await at.db.select().from(overrides)).map(({ catalog }) => catalog).sort()).toEqual([key, 'pond/shop']);
  });

  test('under four eyes waits for another person, and is listed with its state', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await seedFinding(at.db, 'a');
    const policy = { ...defaultPolicy, fourEyes: true };
    await at.ledger.catalogs.applyPolicy({ catalog: key, policy, intervalMs: hour, actor: reconciler, now: t0 });
    const { id, state } = (await post('override', wish, { 'x-actor': 'anna' })).json().override;
    expect(state).toBe('requested');
    const approve = (actor: string, of = id) => post(`override/${of}/approve`, {}, { 'x-actor': actor });
    expectProblem(await approve('Anna'), 'same-person', 403);
    expectProblem(await approve('ben', 'nothing'), 'no-such-override', 404);
    expect((await approve('ben')).json()).toMatchObject({
      override: { id, state: 'active', actor: { name: 'anna' }, approved: { by: { name: 'ben' }, at: t0 } },
      woken: true,
    });
    const listed = await house.app.inject({ url: `${shopAddress}/overrides` });
    expect(listed.json().overrides).toMatchObject([{ id, state: 'active', admits: 1, maxCount: 5, used: 0 }]);
    house.now = t0 + 10 * minute;
    const late = await post('override', wish, { 'x-actor': 'anna' });
    house.now += 10 * minute;
    expectProblem(await approve('ben', late.json().override.id), 'override-expired', 409);
    house.now = t0;
  });

  test('of a catalog that holds nothing is refused', async () => {
    expectProblem(await post('override', wish), 'nothing-held', 409); // never looked at
    await seedCatalog(at.db);
    expectProblem(await post('override', wish), 'nothing-held', 409);
    await seedCatalog(at.db, { hold: ['too-few-probed'] });
    expectProblem(await post('override', wish), 'nothing-held', 409); // held, without findings
  });

  test.each([
    ['no end', { ...wish, expiresInSecs: undefined }, 'body.expiresInSecs'],
    ['a year', { ...wish, expiresInSecs: 31_536_000 }, 'body.expiresInSecs'],
    ['no count', { ...wish, maxCount: 0 }, 'body.maxCount'],
    ['half a count', { ...wish, maxCount: 1.5 }, 'body.maxCount'],
    ['no reason', { ...wish, reason: '' }, 'body.reason'],
  ])('with %s cannot be meant', async (_what, payload, field) => {
    const { errors } = expectProblem(await post('override', payload), 'invalid-request', 400) as {
      errors: { field: string }[];
    };
    expect(errors.map((error) => error.field)).toContain(field);
  });
});

describe('import', () => {
  test('registers what the source lists, and counts', async () => {
    const answer = await post('import', undefined, { 'x-actor': 'anna' });
    expect(answer.json()).toEqual({ catalog: 'shop', added: 3, existing: 2, skipped: 1 });
    expect(house.imports).toEqual([{ catalog: 'shop', actor: 'anna' }]);
  });

  test('tells what the source said, and how to mend it', async () => {
    const denied = new ReconcilerFailure('SourceAccessDenied', '28P01', 'password authentication failed for reader');
    const other = await openHouse(at, { importCatalog: async () => Promise.reject(denied) });
    const answer = await other.app.inject({ method: 'POST', url: `${shopAddress}/import` });
    await other.close();
    expect(expectProblem(answer, 'source-failed', 502)).toMatchObject({
      detail: denied.message,
      reason: { type: 'SourceAccessDenied', code: '28P01' },
      mend: expect.stringContaining('principal'),
    });
  });
});

describe('removals and audit', () => {
  test('removals are read newest first, page by page, each with its outcome in words', async () => {
    await seedCatalog(at.db);
    await at.db.insert(removals).values(
      [1, 2, 3].map((n) => ({
        id: `i${n}`,
        catalog: key,
        finding: `f${n}`,
        entity: `e${n}`,
        kind: 'table' as const,
        path: `sales/50%25off${n}`,
        actor: { name: 'reconciler', verified: true, via: 'reconciler' as const },
        outcome: n === 2 ? ('present' as const) : ('removed' as const),
        reason: 'as judged',
        entities: n,
        evidence: 'seen',
        at: t0 + n * hour,
      })),
    );
    const page = async (query: string) => (await house.app.inject({ url: `${shopAddress}/removals${query}` })).json();
    const first = await page('?limit=2');
    expect(first.removals).toMatchObject([
      { id: 'i3', path: 'sales/50%25off3', outcome: 'removed', entities: 3, at: t0 + 3 * hour },
      { id: 'i2', outcome: 'present', outcomeText: expect.stringContaining('nothing was done') },
    ]);
    expect((await page(`?limit=2&cursor=${first.next}`)).removals).toMatchObject([{ id: 'i1' }]);
  });

  test('the audit is read from a number on, and a reader who keeps the last one misses nothing', async () => {
    await seedCatalog(at.db);
    for (const reason of ['one', 'two', 'three']) {
      await post('pause', { reason });
      await post('resume');
    }
    const page = async (query: string) => (await house.app.inject({ url: `/api/audit${query}` })).json();
    const first = await page('?limit=4');
    const rest = await page(`?limit=4&after=${first.next}&catalog=${encodeURIComponent(key)}`);
    expect(first.entries).toHaveLength(4);
    expect([...first.entries, ...rest.entries].map(({ action }: { action: string }) => action)).toEqual([
      'paused',
      'resumed',
      'paused',
      'resumed',
      'paused',
      'resumed',
    ]);
    expect(rest).not.toHaveProperty('next');
    expect((await page('?catalog=lake/other')).entries).toEqual([]);
    for (const query of ['?after=-1', '?after=x', '?limit=0', '?actor=anna']) {
      expectProblem(await house.app.inject({ url: `/api/audit${query}` }), 'invalid-request', 400);
    }
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import type { Attachments } from '../../src/domain/registration.ts';
import { reconciler } from '../../src/domain/actor.ts';
import { day, decideOne, digestOf, hour, minute, ripe, seedCatalog, seedFinding, seedRemoval } from '../ledger/seed.ts';
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
});
afterEach(() => {
  house.gateway.away = false;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const policy = (over: Partial<Policy>) =>
  at.ledger.catalogs.applyPolicy({
    catalog: key,
    policy: { ...defaultPolicy, ...over },
    intervalMs: hour,
    actor: reconciler,
    now: t0,
  });

const get = (query = '') => house.app.inject({ url: `${shopAddress}/stale${query}` });
const page = async (query = '') => (await get(query)).json();

const attached: Attachments = {
  owner: 'anna',
  comment: 'orders of the shop',
  tags: ['pii', 'gold'],
  policies: ['mask'],
  grants: [{ principal: 'ben', privilege: 'SELECT' }],
  properties: { team: 'sales' },
};

describe('what a person rejected', () => {
  test('is not among the open ones, is counted, and is shown when asked for', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decideOne(at.ledger, 'b', 'reject');
    const ids = async (query: string) => (await page(query)).findings.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual(['a']);
    expect(await ids('?state=rejected')).toEqual(['b']);
    expect(await ids('?state=all')).toEqual(['a', 'b']);
    expect((await page()).rejected).toBe(1);
    // whoever names it means it, rejected or not
    expect(await ids('?path=sales/b')).toEqual(['b']);
  });
});

describe('a finding is shown with', () => {
  test('what would be answered to a re-pointing, where its object was renamed', async () => {
    const standing = ripe({ verdict: 'renamed', ripe: false, waits: ['verdict'] });
    await seedFinding(at.db, 'a', { standing, movedTo: 'sales/new' });
    await seedFinding(at.db, 'b', { standing, movedTo: 'sales/b', taken: true });
    await seedFinding(at.db, 'c');
    const { findings } = await page();
    expect(findings.map(({ repoint }: { repoint?: object }) => repoint)).toEqual([
      { possible: true },
      { possible: false, reason: 'nothing-to-repoint', hint: expect.stringContaining('sales/b is registered already') },
      undefined,
    ]);
    expect(findings[0]).toMatchObject({ movedTo: 'sales/new', approval: { possible: false, reason: 'renamed' } });
    await decideOne(at.ledger, 'a', 'repoint');
    const [decided] = (await page()).findings;
    expect(decided).toMatchObject({ decision: { action: 'repoint' }, waits: [{ code: 'verdict', waived: true }] });
  });

  test('the names of secrets, which cannot come back', async () => {
    await seedFinding(at.db, 'a', { attachments: { ...attached, secrets: ['password'] } });
    const { findings } = await page();
    expect(findings[0].impact.attachments.secrets).toEqual(['password']);
    expect((await get('/a')).json().attachments.secrets).toEqual(['password']);
  });

  test('its evidence, its standing, and what would be lost with it', async () => {
    await seedFinding(at.db, 'orders', { attachments: attached, inside: 3 });
    const { findings, broken, needs } = await page();
    expect(broken).toEqual([]);
    expect(needs).toEqual({ misses: 2, graceMs: day, minimumAgeMs: hour });
    expect(findings).toEqual([
      {
        id: 'orders',
        kind: 'table',
        path: 'sales/orders',
        segments: ['sales', 'orders'],
        registration: 'entity of orders',
        version: '1',
        registeredAt: t0 - 30 * day,
        state: 'open',
        verdict: 'absent',
        code: 'no-row',
        evidence: {
          source: 'postgresql',
          asked: 'pg_catalog lookup by name',
          code: 'no-row',
          principal: 'reader',
          fingerprint: 'f1',
          strength: 'conclusive',
        },
        digest: digestOf('orders'),
        misses: 2,
        watchedMs: hour,
        firstMissedAt: t0 - hour,
        lastMissedAt: t0,
        due: false,
        ripe: true,
        waits: [{ code: 'report-only', text: 'the policy only reports; it takes an approval', waived: false }],
        approval: { possible: true },
        taken: false,
        inside: 3,
        impact: {
          registrations: 4,
          attachments: { owner: 'anna', comment: true, tags: 2, policies: 1, grants: 1, properties: 1 },
        },
        openedAt: t0 - hour,
        updatedAt: t0,
      },
    ]);
  });

  test('where its catalog stands, the bars of every removal in words', async () => {
    await seedCatalog(at.db, { hold: ['all-absent'], stop: { reason: 'too-many-present', at: t0 } });
    await at.ledger.decisions.pause(key, { by: 'anna', reason: 'migration', at: t0 }, reconciler);
    expect((await page()).catalog).toMatchObject({
      address: 'lake/shop',
      state: 'ok',
      hold: [{ code: 'all-absent', text: expect.stringContaining('everything') }],
      stop: { code: 'too-many-present', text: expect.stringContaining('there again'), at: t0 },
      pause: { by: 'anna', reason: 'migration', at: t0 },
      published: { round: 'r7', at: t0 },
    });
  });

  test.each([
    ['misses', { misses: 1 }, 'absent in 1 of 2 complete rounds'],
    ['grace', { graceMs: 90 * minute }, 'watched for 1 h 30 min of 1 d'],
    ['minimum-age', {}, 'registered 30 d ago; it must be 1 h old'],
    ['announced', { dueAt: t0 + day }, `due at ${new Date(t0 + day).toISOString().slice(0, 19)}Z`],
    ['container', {}, 'it goes with its container sales'],
    ['blocked-inside', {}, 'sales/kept inside keeps it registered: a person keeps it'],
    ['no-controls', {}, 'no object of this source is known to be present yet, so nothing proves that we can see'],
    ['returned', {}, 'it was removed before and came back, so a person must approve'],
    ['unknown-now', {}, 'the latest round got no clear answer about it'],
  ] as const)('what it waits for: %s', async (wait, standing, text) => {
    await seedFinding(at.db, 'orders', {
      standing: ripe({ ...standing, waits: [wait] }),
      carrier: 'sales',
      blocker: { path: ['sales', 'kept'], why: 'kept' },
    });
    expect((await page()).findings[0].waits).toEqual([{ code: wait, text, waived: false }]);
  });

  test('the limit that keeps it waiting, once nothing else does', async () => {
    await policy({ removalsPerRound: 2, removalsPerDay: 3 });
    await seedFinding(at.db, 'crm', { kind: 'schema', inside: 2 });
    await seedFinding(at.db, 'old');
    await seedFinding(at.db, 'orders');
    await decideOne(at.ledger, 'orders', 'approve');
    await seedRemoval(at.db, 'x', { entities: 2 });
    const limitsOf = async () =>
      (await page()).findings.map(({ id, waits }: { id: string; waits: { code: string; text: string }[] }) =>
        [id, ...waits.filter(({ code }) => code.endsWith('-limit')).map(({ text }) => text)].join(': '),
      );
    expect(await limitsOf()).toEqual([
      'crm: it takes 3 registrations along, more than the 2 of a round: raise maxRemovalsPerRound to let it go',
      'old',
      'orders: 2 of 2 registrations went since the latest round; it goes on after the next',
    ]);
    await policy({ removalsPerRound: 9, removalsPerDay: 2 });
    expect(await limitsOf()).toEqual([
      'crm: it takes 3 registrations along, more than the 2 of a day: raise maxRemovalsPerDay to let it go',
      'old',
      'orders: 2 of 2 registrations went within a day; it goes on as the first of them are a day ago',
    ]);
  });

  test('its due time, and that an approval waives time and permission but no evidence', async () => {
    const waits = ['misses', 'grace', 'announced', 'needs-approval'] as const;
    await seedFinding(at.db, 'orders', { standing: ripe({ dueAt: t0 + day, waits }) });
    await decideOne(at.ledger, 'orders', 'approve', { reason: 'dropped on purpose' });
    const [finding] = (await page()).findings;
    expect(finding.dueAt).toBe(t0 + day);
    expect(finding.waits.filter((wait: { waived: boolean }) => !wait.waived)).toHaveLength(1);
    expect(finding.decision).toMatchObject({
      action: 'approve',
      state: 'active',
      reason: 'dropped on purpose',
      digest: digestOf('orders'),
      actor: { name: 'anna' },
      expiresAt: t0 + 7 * day,
    });
  });

  test('why an approval would be refused, and what to do instead', async () => {
    await seedFinding(at.db, 'inner', { carrier: 'sales' });
    await seedFinding(at.db, 'moved', {
      standing: ripe({ verdict: 'renamed', waits: ['verdict'] }),
      movedTo: 'sales/new',
    });
    const { findings } = await page();
    expect(findings[0]).toMatchObject({
      carrier: 'sales',
      approval: { possible: false, reason: 'approve-container', hint: expect.stringContaining('Approve sales') },
    });
    expect(findings[1]).toMatchObject({
      verdict: 'renamed',
      movedTo: 'sales/new',
      waits: [{ code: 'verdict', text: expect.stringContaining('renamed to sales/new') }],
      approval: { possible: false, reason: 'renamed' },
    });
  });

  test('attachments in full, decisions and history, where one is asked for', async () => {
    await seedFinding(at.db, 'orders', { attachments: attached });
    await decideOne(at.ledger, 'orders', 'reject');
    const detail = (await house.app.inject({ url: `${shopAddress}/stale/orders` })).json();
    expect(detail).toMatchObject({
      catalog: { address: 'lake/shop' },
      finding: { id: 'orders', path: 'sales/orders' },
      attachments: attached,
      decisions: [{ action: 'reject', finding: 'orders' }],
    });
    expect(detail.history.map(({ what }: { what: string }) => what)).toEqual(
      (await at.ledger.findings.history('orders')).map(({ what }) => what),
    );
    expect(detail.history).not.toEqual([]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await seedFinding(at.db, name);
  });

  test('is read page by page, each finding once, in order of path', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { findings, next } = await page(`?limit=2${cursor}`);
      seen.push(...findings.map(({ id }: { id: string }) => id));
      if (next === undefined) break;
      cursor = `&cursor=${next}`;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('has no next page where the last one is full by chance', async () => {
    const first = await page('?limit=5');
    expect((await page(`?limit=5&cursor=${first.next}`)).findings).toEqual([]);
  });

  test('is narrowed by kind, verdict, state and path', async () => {
    await seedFinding(at.db, 'view', { kind: 'view' });
    await seedFinding(at.db, 'new', { standing: ripe({ verdict: 'replaced', waits: ['verdict'] }) });
    await seedFinding(at.db, 'over', { state: 'closed', closedWhy: 'present' });
    const ids = async (query: string) => (await page(query)).findings.map(({ id }: { id: string }) => id);
    expect(await ids('?kind=view')).toEqual(['view']);
    expect(await ids('?verdict=replaced')).toEqual(['new']);
    expect(await ids('?state=closed')).toEqual(['over']);
    expect(await ids('?state=all&limit=500')).toHaveLength(8);
    expect(await ids('?path=sales/c')).toEqual(['c']);
    expect(await ids('?path=sales/over')).toEqual([]);
  });

  test('B46 one broken row on record hides no other, and is told', async () => {
    await seedFinding(at.db, 'bent', { attachments: { tags: 'none' } as unknown as Attachments });
    const { findings, broken } = await page();
    expect(findings).toHaveLength(5);
    expect(broken).toEqual([{ id: 'bent', why: expect.any(String) }]);
    expect(house.logged().at(-1)).toMatchObject({ level: 50, broken, catalog: key });
  });

  test.each(['AAAA', 'e30', 'WyJyb3VuZHMiLCJyMSJd', 'WyJzdGFsZSIsIiUiLCJhIl0', '%25', 'WyJzdGFsZSIsImEiLCJhIl0='])(
    'refuses the made-up cursor %s',
    async (cursor) => {
      expectProblem(await get(`?cursor=${cursor}`), 'invalid-cursor', 404);
    },
  );

  test.each([
    ['?limit=0', 'query.limit'],
    ['?limit=501', 'query.limit'],
    ['?limit=ten', 'query.limit'],
    ['?kind=index', 'query.kind'],
    ['?verdict=present', 'query.verdict'],
    ['?state=dead', 'query.state'],
    ['?page=2', 'query.page'],
    ['?path=50%25off', 'query.path'],
    ['?cursor=', 'query.cursor'],
  ])('refuses %s by the name of the field', async (query, field) => {
    expect(expectProblem(await get(query), 'invalid-request', 400).errors).toEqual([
      { field, message: expect.any(String) },
    ]);
  });
});

describe('what the ledger knows', () => {
  test('is answered while Temporal and the registry are away, with the policy in force', async () => {
    await at.ledger.catalogs.applyPolicy({
      catalog: key,
      policy: { ...defaultPolicy, misses: 5 },
      intervalMs: hour,
      actor: reconciler,
      now: t0,
    });
    await seedFinding(at.db, 'orders');
    house.gateway.away = true;
    house.lake.away = true;
    const answer = await get();
    house.lake.away = false;
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ needs: { misses: 5 }, findings: [{ id: 'orders' }] });
  });

  test('of a registered catalog that no round ever looked at is that it was never scanned', async () => {
    const answer = await house.app.inject({ url: '/api/metalakes/lake/catalogs/empty/stale' });
    expect(answer.json()).toMatchObject({ catalog: { state: 'never-scanned', hold: [] }, findings: [] });
    expect(answer.json().catalog).not.toHaveProperty('stateSince');
  });

  test('a finding of another catalog is not found here, nor one that never was', async () => {
    await seedCatalog(at.db, { key: 'pond/shop', metalake: 'pond' });
    await seedFinding(at.db, 'elsewhere', { catalog: 'pond/shop' });
    for (const id of ['elsewhere', 'nothing']) {
      expectProblem(await house.app.inject({ url: `${shopAddress}/stale/${id}` }), 'no-such-finding', 404);
    }
  });
});

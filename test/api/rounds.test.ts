import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoundReport } from '../../src/contract/round-messages.ts';
import { verdicts } from '../../src/ledger/schema.ts';
import { absent, look, openInput, present, wholeRound } from '../ledger/rounds/scene.ts';
import { minute, seedCatalog } from '../ledger/seed.ts';
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
  house.gateway.live = undefined;
  house.gateway.away = false;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const get = (path: string) => house.app.inject({ url: `${shopAddress}/rounds${path}` });

const report = (over: Partial<RoundReport> = {}): RoundReport => ({
  metalake: 'lake',
  catalog: 'shop',
  roundId: 'r1',
  dry: false,
  phase: 'probing',
  totals: { registrations: 10, eligible: 8, probed: 3, verdicts: { present: 2, absent: 1 } },
  samples: [{ path: 'sales/orders', kind: 'table', code: 'no-row' }],
  hold: [],
  more: shopAddress,
  ...over,
});

describe('rounds', () => {
  test('are listed newest first, page by page, dry ones among them', async () => {
    for (const [n, id] of ['r1', 'r2', 'r3'].entries()) {
      await at.ledger.rounds.open(openInput(id, { now: t0 + n * minute, dry: id === 'r2' }));
    }
    const first = (await get('?limit=2')).json();
    expect(first.rounds.map(({ id, dry }: { id: string; dry: boolean }) => [id, dry])).toEqual([
      ['r3', false],
      ['r2', true],
    ]);
    const second = (await get(`?limit=2&cursor=${first.next}`)).json();
    expect(second.rounds.map(({ id }: { id: string }) => id)).toEqual(['r1']);
    expect(second).not.toHaveProperty('next');
  });

  test('a cursor of another list is refused', async () => {
    const cursor = Buffer.from(JSON.stringify(['removals', t0, 'r1'])).toString('base64url');
    expectProblem(await get(`?cursor=${cursor}`), 'invalid-cursor', 404);
  });

  test('that have ended tell their counts, and why they are held', async () => {
    await wholeRound(at.ledger, 'r1', [{ path: 'gone', verdict: absent() }], {
      hold: ['all-absent'],
      guard: { registrations: 4, eligible: 4, conclusive: 3, absent: 2, admitted: 1 },
    });
    expect((await get('/r1')).json()).toMatchObject({
      id: 'r1',
      state: 'published',
      from: 'ledger',
      record: {
        counts: { registrations: 1, eligible: 1, verdicts: { absent: 1 }, open: 1 },
        guard: { eligible: 4, conclusive: 3, absent: 2, admitted: 1, share: 1 / 3 },
        hold: [{ code: 'all-absent', text: expect.any(String) }],
        requestedBy: { name: 'reconciler' },
      },
    });
  });

  test('that failed tell why', async () => {
    const reason = { type: 'SourceUnreachable' as const, code: 'ECONNREFUSED', message: 'no connection to the source' };
    await at.ledger.rounds.open(openInput('r1'));
    await at.ledger.rounds.end({ id: 'r1', state: 'unreachable', reason, now: t0 });
    expect((await get('/r1')).json()).toMatchObject({ state: 'unreachable', record: { reason, endedAt: t0 } });
    expectProblem(await get('/r1/absent'), 'round-inconclusive', 409);
  });
});

describe('a running round', () => {
  test('shows what its workflow says beside what is on record', async () => {
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = report();
    expect((await get('/r1')).json()).toMatchObject({
      state: 'running',
      from: 'ledger+live',
      live: { phase: 'probing', totals: { eligible: 8, probed: 3 }, samples: [{ path: 'sales/orders' }] },
    });
  });

  test.each([
    ['no worker answers', undefined],
    ['another round answers', report({ roundId: 'r0' })],
  ])('is told from the ledger where %s', async (_why, live) => {
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = live;
    const answer = (await get('/r1')).json();
    expect(answer).toMatchObject({ state: 'running', from: 'ledger', liveMissing: expect.any(String) });
    expect(answer).not.toHaveProperty('live');
  });

  test('is told while Temporal is away', async () => {
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.away = true;
    expect((await get('/r1')).json()).toMatchObject({ state: 'running', from: 'ledger' });
  });

  test.each([true, false])('is found before it is on record (dry: %s)', async (dry) => {
    await seedCatalog(at.db);
    house.gateway.live = report({ dry, phase: 'opening' });
    expect((await get('/r1')).json()).toMatchObject({ id: 'r1', dry, state: 'running', from: 'live' });
  });

  test('that nobody knows is not found, with where to look', async () => {
    await seedCatalog(at.db);
    const { mend } = expectProblem(await get('/nothing'), 'no-such-round', 404);
    expect(mend).toContain('worker');
  });

  test('of another catalog is not found here', async () => {
    await seedCatalog(at.db);
    await at.ledger.rounds.open(openInput('r1', { catalog: 'lake/other' }));
    expectProblem(await get('/r1'), 'no-such-round', 404);
    expectProblem(await get('/r1/absent'), 'no-such-round', 404);
  });
});

describe('what a scan found absent', () => {
  test('is listed by kind and page by page, schemas and others', async () => {
    await at.ledger.rounds.open(openInput('r1', { dry: true }));
    await look(at.ledger, 'r1', [
      { path: 'a', verdict: absent() },
      { path: 'a/t', verdict: absent() },
      { path: 'b', verdict: present() },
      { path: 'c', verdict: absent() },
    ]);
    expect((await get('/r1/absent?kind=table')).json()).toEqual({
      state: 'running',
      absent: [{ registration: 'id of a/t', kind: 'table', path: 'a/t', probedAt: t0, removed: false }],
    });
    const first = (await get('/r1/absent?limit=2')).json();
    expect(first.absent.map(({ path }: { path: string }) => path)).toEqual(['a', 'a/t']);
    const second = (await get(`/r1/absent?limit=2&cursor=${first.next}`)).json();
    expect(second.absent.map(({ path }: { path: string }) => path)).toEqual(['c']);
  });

  test('is nothing where nothing was absent', async () => {
    await wholeRound(at.ledger, 'r1', [{ path: 'a', verdict: present() }]);
    expect((await get('/r1/absent')).json()).toEqual({ state: 'published', absent: [] });
  });

  test('is gone, not nothing, once the verdicts are deleted', async () => {
    await wholeRound(at.ledger, 'r1', [{ path: 'a', verdict: absent() }]);
    await at.db.delete(verdicts);
    expectProblem(await get('/r1/absent'), 'verdicts-gone', 410);
    expectProblem(await get('/r1/absent?kind=view'), 'verdicts-gone', 410);
  });
});

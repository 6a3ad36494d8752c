import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { rounds } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, day, decideOne, hour, key, ripe, seedCatalog, seedFinding, seedIntent, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());

const now = t0 + 60 * day;
const figures = () => at.ledger.figures.catalogs(now);

describe('figures', () => {
  test('of no catalog are none', async () => {
    expect(await figures()).toEqual([]);
  });

  test('of a catalog that was never scanned are zeros, and the pace that holds without a policy', async () => {
    await at.ledger.catalogs.ensure('lake', 'shop', t0);
    expect(await figures()).toEqual([
      {
        key,
        metalake: 'lake',
        name: 'shop',
        state: 'never-scanned',
        bars: { hold: false, pause: false, stop: false },
        verdicts: {},
        open: { '1d': 0, '7d': 0, '30d': 0, inf: 0 },
        due: 0,
        waiting: { approve: 0, repoint: 0 },
        removalsPerSecond: defaultPolicy.removalsPerSecond,
      },
    ]);
  });

  test('tell what bars removals, since when the published round is, and what it saw', async () => {
    await seedCatalog(at.db, {
      state: 'unreachable',
      hold: ['all-absent'],
      stop: { reason: 'source-unreachable', at: t0 },
    });
    await at.db.update(rounds).set({
      counts: { registrations: 9, eligible: 8, verdicts: { present: 6, absent: 2 }, open: 2, due: 0 },
    });
    expect(await figures()).toMatchObject([
      {
        state: 'unreachable',
        bars: { hold: true, pause: false, stop: true },
        publishedAt: t0,
        verdicts: { present: 6, absent: 2 },
      },
    ]);
  });

  test('count open findings by age, each in one bucket, and neither rejected nor closed ones', async () => {
    await seedCatalog(at.db);
    const ages = { fresh: hour, aDay: day, days: 6 * day, aWeek: 7 * day, weeks: 29 * day, aMonth: 30 * day };
    for (const [id, age] of Object.entries(ages)) await seedFinding(at.db, id, { openedAt: now - age });
    await seedFinding(at.db, 'due', { openedAt: t0, standing: ripe({ due: true }) });
    await seedFinding(at.db, 'closed', { state: 'closed' });
    await seedFinding(at.db, 'rejected', { standing: ripe({ due: true }) });
    expect(await decideOne(at.ledger, 'rejected', 'reject')).toMatchObject({ answer: 'accepted' });
    expect(await figures()).toMatchObject([{ open: { '1d': 1, '7d': 2, '30d': 2, inf: 2 }, due: 1 }]);
  });

  test('count decisions that wait, since the oldest of them, and no longer those that expired or are void', async () => {
    await seedCatalog(at.db);
    for (const id of ['first', 'second', 'kept', 'changed']) await seedFinding(at.db, id);
    await decideOne(at.ledger, 'first', 'approve', { now: now - hour });
    await decideOne(at.ledger, 'second', 'approve', { now: now - 2 * hour });
    await decideOne(at.ledger, 'kept', 'keep', { now: now - 3 * hour });
    expect(await figures()).toMatchObject([{ waiting: { approve: 2, repoint: 0, since: now - 2 * hour } }]);
    const [later] = await at.ledger.figures.catalogs(now + 10 * defaultPolicy.approvalTtlMs);
    expect(later?.waiting).toEqual({ approve: 0, repoint: 0 });
  });

  test('tell since when a removal is under way, and the pace of the latest policy', async () => {
    await seedCatalog(at.db);
    const finding = await seedFinding(at.db, 'going');
    await seedIntent(at.db, 'intent', finding);
    for (const removalsPerSecond of [5, 0.5]) {
      await at.ledger.catalogs.applyPolicy({
        catalog: key,
        policy: { ...defaultPolicy, removalsPerSecond },
        intervalMs: hour,
        actor: anna,
        now: t0,
      });
    }
    expect(await figures()).toMatchObject([{ intentOpenSince: t0, removalsPerSecond: 0.5 }]);
  });

  test('are told apart by catalog', async () => {
    await seedCatalog(at.db);
    await seedCatalog(at.db, { key: 'lake/wine', name: 'wine', publishedRound: 'w1' });
    await seedFinding(at.db, 'ours');
    await seedFinding(at.db, 'theirs', { catalog: 'lake/wine' });
    await decideOne(at.ledger, 'ours', 'approve', { now });
    const told = (await figures()).map(({ key: catalog, open, waiting }) => [catalog, open.inf, waiting.approve]);
    expect(told).toEqual([
      ['lake/shop', 1, 1],
      ['lake/wine', 1, 0],
    ]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { FindingQuery } from '../../src/ledger/ledger.ts';
import { findings } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { decideOne, key, ripe, seedCatalog, seedFinding, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const listed = async (query: Partial<FindingQuery> = {}) =>
  (await at.ledger.findings.page({ catalog: key, state: 'open', limit: 100, ...query }, t0)).map(({ id }) => id);
const counts = () => at.ledger.findings.count(key, t0);

describe('a rejection', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b', 'c'])
      await seedFinding(at.db, id, { standing: ripe({ due: true, dueAt: t0, waits: [] }) });
    await decideOne(at.ledger, 'b', 'reject');
  });

  test('takes its finding out of what is open, and out of the counts', async () => {
    expect(await listed({ rejected: false })).toEqual(['a', 'c']);
    expect(await listed({ rejected: true })).toEqual(['b']);
    expect(await listed()).toEqual(['a', 'b', 'c']);
    expect(await counts()).toEqual({ open: 2, due: 2, approved: 0, rejected: 1 });
    expect(await at.ledger.findings.rejected(key)).toBe(1);
  });

  test('pages of either kind go on where the one before ended', async () => {
    await decideOne(at.ledger, 'c', 'reject');
    const after = { path: ['sales', 'b'], id: 'b' } as const;
    expect(await listed({ rejected: true, limit: 1 })).toEqual(['b']);
    expect(await listed({ rejected: true, limit: 1, after })).toEqual(['c']);
    expect(await listed({ rejected: false, after })).toEqual([]);
  });

  test('of other evidence settles nothing', async () => {
    await at.db.update(findings).set({ digest: 'another' }).where(eq(findings.id, 'b'));
    expect(await listed({ rejected: false })).toEqual(['a', 'b', 'c']);
    expect(await counts()).toMatchObject({ open: 3, rejected: 0 });
  });

  test('that a person takes back by another decision opens it again', async () => {
    await decideOne(at.ledger, 'b', 'approve', { now: t0 + 1 });
    expect(await listed({ rejected: false })).toEqual(['a', 'b', 'c']);
    expect(await counts()).toMatchObject({ open: 3, approved: 1, rejected: 0 });
  });

  test('of all that is open leaves the loop nothing to wait for', async () => {
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'wait', open: 2 });
    for (const id of ['a', 'c']) await decideOne(at.ledger, id, 'reject');
    expect(await at.ledger.removals.next(key, t0)).toEqual({ step: 'done' });
  });

  test('of another catalog is not counted here', async () => {
    await seedCatalog(at.db, { key: 'lake/other', name: 'other', publishedRound: 'r9' });
    await seedFinding(at.db, 'x', { catalog: 'lake/other', movedBy: 'r9' });
    await decideOne(at.ledger, 'x', 'reject', { catalog: 'lake/other' });
    expect(await counts()).toMatchObject({ open: 2, rejected: 1 });
  });
});

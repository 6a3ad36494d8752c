import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SelectionQuery } from '../../src/ledger/ledger.ts';
import { findings } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { day, decideOne, digestOf, key, ripe, seedCatalog, seedFinding, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const select = (query: Partial<SelectionQuery> = {}, items = 100, now = t0) =>
  at.ledger.findings.select({ catalog: key, action: 'approve', ...query }, items, now);
const selected = async (query: Partial<SelectionQuery> = {}, now = t0) =>
  (await select(query, 100, now)).items.map(({ findingId }) => findingId);

const verdict = (of: 'absent' | 'renamed' | 'replaced') => ({ standing: ripe({ verdict: of }) });

describe('a selection', () => {
  test('names what was seen: so many, in order of path, under one digest', async () => {
    for (const id of ['b', 'a', 'c']) await seedFinding(at.db, id);
    const all = await select();
    expect(all).toMatchObject({ count: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(all.items).toEqual(['a', 'b', 'c'].map((id) => ({ findingId: id, digest: digestOf(id) })));
    expect(await select({}, 2)).toEqual({ ...all, items: all.items.slice(0, 2) });
  });

  test('has another digest as soon as one came, went, or stands on other evidence', async () => {
    const digests = new Set<string>();
    const note = async () => digests.add((await select()).digest);
    await note();
    await seedFinding(at.db, 'a');
    await note();
    await seedFinding(at.db, 'b');
    await note();
    await at.db.update(findings).set({ digest: 'other' }).where(eq(findings.id, 'a'));
    await note();
    await at.db.update(findings).set({ state: 'closed' }).where(eq(findings.id, 'a'));
    await note();
    expect(digests.size).toBe(5);
    await at.db.update(findings).set({ version: '9', updatedAt: t0 + 1 });
    await note();
    expect(digests.size).toBe(5);
  });

  test('is narrowed by kind, verdict and container', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales' });
    await seedFinding(at.db, 'view', { kind: 'view' });
    await seedFinding(at.db, 'taken', { ...verdict('renamed'), taken: true });
    await seedFinding(at.db, 'beside', { path: 'sales2/x' });
    expect(await selected({ under: ['sales'] })).toEqual(['sales', 'taken', 'view']);
    expect(await selected({ kind: 'view' })).toEqual(['view']);
    expect(await selected({ verdict: 'renamed' })).toEqual(['taken']);
    expect(await selected({ under: ['sales', 'view'] })).toEqual(['view']);
  });

  test.each([
    ['approve', ['gone', 'taken']],
    ['repoint', ['moved']],
    ['accept', ['new']],
    ['reject', ['gone', 'inner', 'moved', 'new', 'taken']],
    ['keep', ['gone', 'inner', 'moved', 'new', 'taken']],
  ] as const)('to %s is what that could change', async (action, ids) => {
    await seedFinding(at.db, 'gone');
    await seedFinding(at.db, 'inner', { carrier: 'sales' });
    await seedFinding(at.db, 'moved', verdict('renamed'));
    await seedFinding(at.db, 'taken', { ...verdict('renamed'), taken: true });
    await seedFinding(at.db, 'new', verdict('replaced'));
    await seedFinding(at.db, 'closed', { state: 'closed' });
    expect(await selected({ action })).toEqual(ids);
  });

  test('leaves out what is decided so already, rejected or kept, as long as that holds', async () => {
    for (const id of ['a', 'approved', 'kept', 'rejected']) await seedFinding(at.db, id);
    await decideOne(at.ledger, 'approved', 'approve');
    await decideOne(at.ledger, 'kept', 'keep', { keepUntil: t0 + day });
    await decideOne(at.ledger, 'rejected', 'reject');
    expect(await selected()).toEqual(['a']);
    expect(await selected({ action: 'keep' })).toEqual(['a', 'approved']);
    expect(await selected({}, t0 + day)).toEqual(['a', 'kept']);
    expect(await selected({}, t0 + 7 * day)).toEqual(['a', 'approved', 'kept']);
  });
});

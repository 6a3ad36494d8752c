import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { decisions, findings, keepPatterns, snapshot } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { absent, openPaths, shop, wholeRound } from './rounds/scene.ts';
import {
  anna,
  audited,
  ben,
  day,
  decideOne,
  decisionsNow,
  historyOf,
  hour,
  key,
  minute,
  seedCatalog,
  seedFinding,
  t0,
} from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const order = (pattern: string, over: { id?: string; keepUntil?: number; now?: number; reason?: string } = {}) =>
  at.ledger.keeps.order({ id: 'k1', catalog: key, pattern, actor: anna, now: t0, ...over });
const end = (id = 'k1', now = t0 + hour) => at.ledger.keeps.end({ id, catalog: key, actor: ben, now });
const open = (finding: string, now = t0) =>
  at.ledger.removals.openIntent({
    id: `i ${finding}`,
    catalog: key,
    action: 'remove',
    finding,
    now,
    actBefore: now + minute,
    exclusive: false,
  });
const kept = async (now = t0) =>
  (await at.ledger.findings.page({ catalog: key, state: 'open', limit: 100 }, now))
    .filter(({ decision }) => decision?.action === 'keep')
    .map(({ id }) => id);

describe('a standing keep', () => {
  test('keeps every open finding that matches, and no other', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales' });
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b', { path: 'crm/b' });
    await seedFinding(at.db, 'closed', { state: 'closed' });
    expect(await order('sales/**', { reason: 'migration' })).toEqual({
      keep: { id: 'k1', catalog: key, pattern: 'sales/**', actor: anna, reason: 'migration', at: t0, state: 'active' },
      kept: 2,
    });
    expect(await kept()).toEqual(['sales', 'a']);
    expect(await historyOf(at.ledger, 'a')).toEqual(['decided']);
    expect(await audited(at.ledger)).toEqual(['keep-ordered by anna: k1']);
  });

  test('voids an approval, leaves a rejection, and never replaces a person’s own keep', async () => {
    for (const id of ['a', 'b', 'c']) await seedFinding(at.db, id);
    await decideOne(at.ledger, 'a', 'approve');
    await decideOne(at.ledger, 'b', 'reject', { now: t0 + 1 });
    await decideOne(at.ledger, 'c', 'keep', { now: t0 + 2, keepUntil: t0 + day });
    expect(await order('sales/*', { now: t0 + 3 })).toMatchObject({ kept: 2 });
    expect(await decisionsNow(at.db)).toEqual([
      'approve void kept',
      'reject active',
      'keep active',
      'keep active',
      'keep active',
    ]);
  });

  test('sent again with its id is the one that there is', async () => {
    await seedFinding(at.db, 'a');
    const first = await order('sales/*');
    expect(await order('crm/*', { now: t0 + 1 })).toEqual(first);
    expect(await at.db.$count(keepPatterns)).toBe(1);
    expect(await at.db.$count(decisions)).toBe(1);
  });

  test('bars an approval, with the way out', async () => {
    await seedFinding(at.db, 'a');
    await order('sales/*');
    expect(await decideOne(at.ledger, 'a', 'approve')).toMatchObject({
      answer: 'refused',
      reason: 'kept',
      hint: expect.stringContaining('k1'),
    });
    await end();
    expect(await decideOne(at.ledger, 'a', 'approve', { now: t0 + hour })).toMatchObject({ answer: 'accepted' });
  });

  test('ends by its date like any keep', async () => {
    await seedFinding(at.db, 'a');
    await order('sales/*', { keepUntil: t0 + day });
    expect(await kept(t0 + day - 1)).toEqual(['a']);
    expect(await kept(t0 + day)).toEqual([]);
    expect(await at.ledger.keeps.list(key, 9, t0 + day)).toMatchObject([{ id: 'k1', state: 'expired' }]);
    expect(await decideOne(at.ledger, 'a', 'approve', { now: t0 + day })).toMatchObject({ answer: 'accepted' });
  });

  test('is listed with the newest first, and only where it is', async () => {
    await order('sales/*');
    await order('crm/*', { id: 'k2', now: t0 + 1 });
    expect((await at.ledger.keeps.list(key, 9, t0)).map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect(await at.ledger.keeps.list(key, 1, t0)).toHaveLength(1);
    expect(await at.ledger.keeps.list('lake/other', 9, t0)).toEqual([]);
  });
});

describe('taken back', () => {
  test('it frees what it kept, and nothing else', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decideOne(at.ledger, 'b', 'keep');
    await order('sales/*', { now: t0 + 1 });
    expect(await end()).toEqual({
      keep: expect.objectContaining({ id: 'k1', state: 'ended', ended: { at: t0 + hour, by: ben } }),
      released: 1,
    });
    expect(await decisionsNow(at.db)).toEqual(['keep active', 'keep void keep-taken-back']);
    expect(await kept(t0 + hour)).toEqual(['b']);
    expect(await end('k1', t0 + day)).toMatchObject({ keep: { ended: { at: t0 + hour } }, released: 0 });
    expect(await audited(at.ledger)).toEqual([
      'decision-accepted by anna: b',
      'keep-ordered by anna: k1',
      'keep-taken-back by ben: k1',
    ]);
  });

  test('what another one covers stays kept', async () => {
    await seedFinding(at.db, 'a');
    await order('sales/*');
    await order('**/a', { id: 'k2', now: t0 + 1 });
    await end();
    expect(await kept(t0 + hour)).toEqual(['a']);
  });

  test('one that the catalog does not have is not there', async () => {
    await order('sales/*');
    expect(await end('k9')).toBeUndefined();
    const elsewhere = { id: 'k1', catalog: 'lake/other', actor: ben, now: t0 };
    await seedCatalog(at.db, { key: 'lake/other', name: 'other' });
    expect(await at.ledger.keeps.end(elsewhere)).toBeUndefined();
    expect(await at.ledger.keeps.list(key, 9, t0)).toMatchObject([{ state: 'active' }]);
  });
});

describe('a published round', () => {
  test('keeps what it finds, and what its keep ran out for, as long as the order stands', async () => {
    await seedCatalog(at.db, { publishedRound: null, roundSeq: 0, publishedSeq: 0 });
    await order('s/*');
    await wholeRound(at.ledger, 'r1', [
      { path: 's/a', verdict: absent() },
      { path: 'x', verdict: absent() },
    ]);
    expect(await openPaths(at.ledger, shop)).toEqual(['s/a', 'x']);
    const [first] = await kept();
    expect(first).toBeDefined();
    // a person decides otherwise about this one, which takes its keep away until the next round
    await at.db.update(decisions).set({ state: 'void', stateWhy: 'superseded' });
    await wholeRound(at.ledger, 'r2', [{ path: 's/a', verdict: absent() }], { now: t0 + hour });
    expect(await kept(t0 + hour)).toEqual([first]);
    await end('k1', t0 + 2 * hour);
    await wholeRound(at.ledger, 'r3', [{ path: 's/a', verdict: absent() }], { now: t0 + 3 * hour });
    expect(await kept(t0 + 3 * hour)).toEqual([]);
  });
});

describe('at the last moment', () => {
  /** As if the finding had been approved before the order, and no round had passed since. */
  async function approvedYetCovered(pattern: string, inside = 0): Promise<void> {
    await seedFinding(at.db, 'a', { inside });
    await decideOne(at.ledger, 'a', 'approve');
    await at.db.insert(keepPatterns).values({ id: 'k1', catalog: key, pattern, actor: anna, at: t0 });
  }

  test('nothing that an order covers is removed, though no keep was written for it yet', async () => {
    await approvedYetCovered('sales/*');
    expect(await open('a')).toEqual({ answer: 'barred', bar: 'kept' });
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'wait', why: 'kept' });
  });

  test('nor a container with something inside that an order covers', async () => {
    await approvedYetCovered('sales/a/inner', 1);
    const row = { round: 'r7', version: '1', createdAt: t0, kind: 'table', mark: 'probe' } as const;
    await at.db.insert(snapshot).values([
      { ...row, row: 0, entity: 'other', path: 'sales/a/other' },
      { ...row, row: 1, entity: 'inner', path: 'sales/a/inner' },
    ]);
    expect(await open('a')).toEqual({ answer: 'barred', bar: 'kept' });
    await at.db.update(snapshot).set({ path: 'sales/a/free' }).where(eq(snapshot.row, 1));
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });

  test.each(['[', 'sales/', '(?'.repeat(600)])(
    'an order that cannot be read any more covers everything: %s',
    async (pattern) => {
      await approvedYetCovered(pattern.slice(0, 1_200));
      expect(await open('a')).toEqual({ answer: 'barred', bar: 'kept' });
      await at.db.update(findings).set({ path: 'crm/x' });
      expect(await open('a')).toEqual({ answer: 'barred', bar: 'kept' });
    },
  );

  test('one that is over or taken back bars nothing', async () => {
    await approvedYetCovered('sales/*');
    await at.db.update(keepPatterns).set({ keepUntil: t0 });
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });
});

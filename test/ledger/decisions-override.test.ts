import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { catalogs, findings, overrides } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, audited, decideOne, hour, key, minute, ripe, seedCatalog, seedFinding, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db, { hold: ['too-many-absent'] });
});

type Wish = Parameters<Ledger['decisions']['override']>[0];
const wish = (over: Partial<Wish> = {}): Wish => ({
  id: 'o1',
  catalog: key,
  actor: anna,
  reason: 'the old shop was closed on purpose',
  maxCount: 12,
  expiresAt: t0 + hour,
  now: t0,
  ...over,
});

let intents = 0;
/** Opens the intent, and settles it as removed where it was opened. */
async function remove(finding: string, now = t0): Promise<string> {
  const id = `intent ${(intents += 1)}`;
  const answer = await at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'remove',
    finding,
    now,
    actBefore: now + minute,
    exclusive: false,
  });
  if (answer.answer === 'barred') return answer.bar;
  await at.ledger.removals.settle({ intent: id, outcome: 'removed', reason: 'gone', entities: 1, now });
  return 'removed';
}

async function approved(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await seedFinding(at.db, id);
    await decideOne(at.ledger, id, 'approve');
  }
}

const used = async () => (await at.db.select().from(overrides)).map((row) => row.used);

describe('an override', () => {
  test('B53 lets held findings go up to its count; the rest is held as before', async () => {
    await approved('a', 'b', 'c');
    expect(await remove('a')).toBe('held');
    expect(await at.ledger.decisions.override(wish({ maxCount: 2 }))).toEqual({
      answer: 'created',
      id: 'o1',
      admits: 3,
      state: 'active',
    });
    expect([await remove('a'), await remove('b'), await remove('c')]).toEqual(['removed', 'removed', 'held']);
    expect(await used()).toEqual([2]);
    expect(await audited(at.ledger)).toContain('override-created by anna: o1');
  });

  test('B53 admits nothing that came later, and nothing whose evidence changed', async () => {
    await approved('a', 'b');
    await at.ledger.decisions.override(wish());
    await approved('c');
    await at.db.update(findings).set({ digest: 'other' }).where(eq(findings.id, 'a'));
    await decideOne(at.ledger, 'a', 'approve', { digest: 'other', now: t0 + 1 });
    expect([await remove('a', t0 + 1), await remove('b'), await remove('c')]).toEqual(['held', 'removed', 'held']);
  });

  test('B53 ends when it expires', async () => {
    await approved('a');
    await at.ledger.decisions.override(wish());
    expect(await at.ledger.removals.next(key, t0 + hour)).toMatchObject({ why: 'held: too-many-absent' });
    expect(await remove('a', t0 + hour)).toBe('held');
    expect(await remove('a', t0 + hour - 1)).toBe('removed');
  });

  test('counts everything that goes with a container', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 12 });
    await decideOne(at.ledger, 'sales', 'approve');
    await at.ledger.decisions.override(wish({ maxCount: 12 }));
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'wait', why: 'held: too-many-absent' });
    expect(await remove('sales')).toBe('held');
    await at.ledger.decisions.override(wish({ id: 'o2', maxCount: 13 }));
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'remove', finding: 'sales' });
    expect(await remove('sales')).toBe('removed');
    expect(await used()).toEqual([0, 13]);
  });

  test('takes what is left of another one before it counts as held', async () => {
    await approved('a', 'b');
    await at.ledger.decisions.override(wish({ maxCount: 1 }));
    await at.ledger.decisions.override(wish({ id: 'o2', maxCount: 1, expiresAt: t0 + 2 * hour }));
    expect([await remove('a'), await remove('b')]).toEqual(['removed', 'removed']);
    expect(await used()).toEqual([1, 1]);
  });

  test('is not used up while nothing is held', async () => {
    await approved('a');
    await at.ledger.decisions.override(wish());
    await at.db.update(catalogs).set({ hold: [] });
    expect(await remove('a')).toBe('removed');
    expect(await used()).toEqual([0]);
  });

  test('admits only what the published round held: absent ones and those renamed onto a taken name', async () => {
    await seedFinding(at.db, 'absent');
    await seedFinding(at.db, 'renamed', { standing: ripe({ verdict: 'renamed' }) });
    await seedFinding(at.db, 'taken', { standing: ripe({ verdict: 'renamed' }), taken: true });
    await seedFinding(at.db, 'replaced', { standing: ripe({ verdict: 'replaced' }) });
    await seedFinding(at.db, 'older', { movedBy: 'r6' });
    await seedFinding(at.db, 'closed', { state: 'closed' });
    await at.ledger.decisions.override(wish());
    const [row] = await at.db.select().from(overrides);
    expect(row?.admits.map(({ finding }) => finding)).toEqual(['absent', 'taken']);
  });

  test('asked for again under the same id is the same one', async () => {
    await approved('a');
    const first = await at.ledger.decisions.override(wish());
    await at.db.update(catalogs).set({ hold: [] });
    expect(await at.ledger.decisions.override(wish({ now: t0 + 1 }))).toEqual(first);
    expect(await used()).toHaveLength(1);
    expect((await audited(at.ledger)).filter((line) => line.startsWith('override'))).toHaveLength(1);
  });

  test.each([
    ['where nothing is held', { hold: [] }, {}, 'not-held'],
    ['where the round held no finding', {}, {}, 'nothing-held'],
    ['that is over before it begins', {}, { expiresAt: t0 }, 'expiry-in-the-past'],
  ] as const)('is refused %s', async (_name, catalog, over, reason) => {
    await seedCatalog(at.db, { hold: ['all-absent'], ...catalog });
    if (reason !== 'nothing-held') await seedFinding(at.db, 'a');
    expect(await at.ledger.decisions.override(wish(over))).toEqual({ answer: 'refused', reason });
    expect(await used()).toEqual([]);
  });
});

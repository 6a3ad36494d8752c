import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { policies } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, ben, day, decideOne, decisionsNow, historyOf, hour, key, seedCatalog, seedFinding, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());

describe('a catalog', () => {
  test('is there after it was looked at once, and looking again changes nothing', async () => {
    expect(await at.ledger.catalogs.ensure('lake', 'shop', t0)).toEqual({
      key: 'lake/shop',
      metalake: 'lake',
      name: 'shop',
      state: 'never-scanned',
      stateSince: t0,
      hold: [],
    });
    await seedCatalog(at.db, { state: 'ok' });
    expect(await at.ledger.catalogs.ensure('lake', 'shop', t0 + day)).toMatchObject({ state: 'ok', stateSince: t0 });
    expect(await at.ledger.catalogs.catalogs()).toHaveLength(1);
  });

  test('has a key that tells odd names apart', async () => {
    const keys = [];
    for (const [metalake, name] of [
      ['a/b', 'c'],
      ['a', 'b/c'],
      ['a', '50%off'],
    ] as const) {
      keys.push((await at.ledger.catalogs.ensure(metalake, name, t0)).key);
    }
    expect(keys).toEqual(['a%2Fb/c', 'a/b%2Fc', 'a/50%25off']);
    expect(await at.ledger.catalogs.catalog('a/50%25off')).toMatchObject({ metalake: 'a', name: '50%off' });
    expect(await at.ledger.catalogs.catalog('a/b/c')).toBeUndefined();
  });

  test('shows where it stands', async () => {
    const reason = { type: 'SourceUnreachable' as const, code: 'ECONNREFUSED', message: 'no connection' };
    await seedCatalog(at.db, { state: 'unreachable', stateReason: reason, hold: ['all-absent'] });
    expect(await at.ledger.catalogs.catalog(key)).toEqual({
      key,
      metalake: 'lake',
      name: 'shop',
      state: 'unreachable',
      stateReason: reason,
      stateSince: t0,
      hold: ['all-absent'],
      published: { id: 'r7', at: t0 },
      epoch: 'e1',
      fingerprint: 'f1',
    });
  });
});

describe('the policy', () => {
  beforeEach(() => seedCatalog(at.db));

  const apply = (over: Partial<Policy>, input: { intervalMs?: number; now?: number } = {}) =>
    at.ledger.catalogs.applyPolicy({
      catalog: key,
      policy: { ...defaultPolicy, ...over },
      intervalMs: hour,
      actor: ben,
      now: t0,
      ...input,
    });

  test('is report-only where none was ever applied', async () => {
    expect(await at.ledger.catalogs.policy(key)).toEqual({ version: 0, policy: defaultPolicy, intervalMs: hour });
  });

  test('applied again unchanged writes nothing', async () => {
    expect(await apply({ misses: 3 })).toEqual({ version: 1, changed: true });
    expect(await apply({ misses: 3 })).toEqual({ version: 1, changed: false });
    expect(await at.db.select().from(policies)).toHaveLength(1);
    expect(await at.ledger.audit.page({ catalog: key, limit: 10 })).toHaveLength(1);
  });

  test('keeps every version, and audits what changed', async () => {
    await apply({ misses: 3 });
    await apply({ misses: 3, mode: 'auto-remove' }, { intervalMs: 2 * hour });
    expect(await at.ledger.catalogs.policy(key)).toMatchObject({
      version: 2,
      policy: { misses: 3, mode: 'auto-remove' },
      intervalMs: 2 * hour,
    });
    const [, second] = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(second).toMatchObject({
      actor: ben,
      action: 'policy-applied',
      detail: {
        version: 2,
        changes: {
          mode: { from: 'report-only', to: 'auto-remove' },
          intervalMs: { from: hour, to: 2 * hour },
        },
        approvalsVoided: 0,
      },
    });
  });

  test.each<[string, boolean, Partial<Policy>]>([
    ['asks for more misses', true, { misses: 5 }],
    ['asks for more age', true, { minimumAgeMs: day }],
    ['protects more', true, { protect: [...defaultPolicy.protect, 'sales/*'] }],
    ['excludes more', true, { exclude: ['sales/*'] }],
    ['judges less', true, { include: ['crm/*'] }],
    ['asks for less', false, { minimumAgeMs: 0 }],
    ['is only quicker', false, { removalsPerSecond: 5 }],
  ])('that %s: approvals under the old one are void: %s', async (_name, voids, over) => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decideOne(at.ledger, 'a', 'approve');
    await decideOne(at.ledger, 'b', 'reject', { now: t0 + 1 });
    await apply(over, { now: t0 + 2 });
    expect(await decisionsNow(at.db)).toEqual([
      voids ? 'approve void policy-stricter' : 'approve active',
      'reject active',
    ]);
    expect(await historyOf(at.ledger, 'a')).toEqual(voids ? ['decided', 'decision-void'] : ['decided']);
    expect(await at.ledger.removals.next(key, t0 + 2)).toMatchObject({ step: voids ? 'wait' : 'remove' });
  });

  test('that is stricter leaves other catalogs alone', async () => {
    await seedCatalog(at.db, { key: 'lake/other', name: 'other' });
    await seedFinding(at.db, 'a', { catalog: 'lake/other' });
    await decideOne(at.ledger, 'a', 'approve', { catalog: 'lake/other' });
    await apply({ misses: 9 });
    expect(await decisionsNow(at.db)).toEqual(['approve active']);
  });

  test('B59 approvals expire by the policy that was in force when they were given', async () => {
    await apply({ approvalTtlMs: hour });
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await apply({ approvalTtlMs: day }, { now: t0 + 1 });
    const [record] = await at.ledger.decisions.decisions(key, { limit: 1 }, t0);
    expect(record?.expiresAt).toBe(t0 + hour);
  });

  test('of a catalog that was never looked at cannot be applied', async () => {
    await expect(
      at.ledger.catalogs.applyPolicy({
        catalog: 'lake/nobody',
        policy: defaultPolicy,
        intervalMs: hour,
        actor: anna,
        now: t0,
      }),
    ).rejects.toMatchObject({ type: 'InvalidRequest', code: 'no-such-catalog' });
  });
});

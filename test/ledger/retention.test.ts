import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { audit, identities, intents, removals, restores, savedAttachments } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, day, hour, key, seedCatalog, seedFinding, seedIntent, seedRemoval, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

/** A removal with something saved for each of these. */
async function removal(id: string, when: number, entities: readonly string[] = [id], catalog = key): Promise<void> {
  await seedRemoval(at.db, id, { at: when, catalog });
  await saved(id, entities);
}

async function saved(intent: string, entities: readonly string[]): Promise<void> {
  const row = { intent, kind: 'table', path: 'sales/x', version: '1', body: 'unseen' } as const;
  await at.db.insert(savedAttachments).values(entities.map((entity) => ({ ...row, entity })));
}

async function lines(...times: readonly number[]): Promise<void> {
  const row = { catalog: key, actor: anna, action: 'paused', subject: key, detail: {} };
  await at.db.insert(audit).values(times.map((when) => ({ ...row, at: when })));
}

async function keepAudit(days: number): Promise<void> {
  const policy = { ...defaultPolicy, auditMs: days * day };
  await at.ledger.catalogs.applyPolicy({ catalog: key, policy, intervalMs: hour, actor: anna, now: t0 });
}

/** Purges to the end, in batches of at most `limit`, or breaks off after so many; says how many batches that took. */
async function purge(limit = 100, batches = Number.POSITIVE_INFINITY): Promise<number> {
  let after: { readonly at: number; readonly id: string } | undefined;
  for (let batch = 1; ; batch += 1) {
    const wanted = { catalog: key, now: t0, limit, ...(after === undefined ? {} : { after }) };
    after = (await at.ledger.retention.purge(wanted)).next;
    if (after === undefined || batch >= batches) return batch;
  }
}

const left = async () => (await at.db.select().from(savedAttachments)).map(({ entity }) => entity).sort();
const told = async () => (await at.ledger.audit.page({ catalog: key, limit: 100 })).map(({ action }) => action);

describe('what was attached to a removed registration', () => {
  test('is kept for 400 days, and for so long the removal can be undone', async () => {
    await removal('old', t0 - 400 * day - 1);
    await removal('young', t0 - 400 * day);
    await removal('elsewhere', t0 - 900 * day, ['elsewhere'], 'lake/other');
    await purge();
    expect(await left()).toEqual(['elsewhere', 'young']);
    expect(await told()).toEqual(['saved-purged']);
    expect(await at.db.$count(removals)).toBe(3);
  });

  test('goes with everything that was inside, whatever the outcome was', async () => {
    await removal('i1', t0 - 500 * day, ['schema', 'a', 'b']);
    await seedRemoval(at.db, 'i2', { at: t0 - 500 * day, outcome: 'present', entities: 0 });
    await saved('i2', ['c']);
    await purge();
    expect(await left()).toEqual([]);
  });

  test('takes the identity along that was remembered for a restore, and none of what is registered', async () => {
    const known = async () => (await at.db.select().from(identities)).map(({ entity }) => entity).sort();
    await removal('gone', t0 - 500 * day);
    await removal('back', t0 - 500 * day);
    await removal('twice', t0 - 500 * day);
    await removal('again', t0 - 100 * day, ['twice']);
    await seedRemoval(at.db, 'never', { at: t0 - 500 * day, outcome: 'present', entities: 0 });
    await saved('never', ['never']);
    const undone = { id: 'x', catalog: key, removal: 'back', actor: anna, at: t0 - 499 * day } as const;
    await at.db.insert(restores).values({ ...undone, state: 'settled', outcome: 'restored' });
    const seen = { catalog: key, uid: 'u', found: 'table', fingerprint: 'f' } as const;
    await at.db
      .insert(identities)
      .values(['gone', 'back', 'twice', 'never', 'other'].map((entity) => ({ ...seen, entity })));
    await purge();
    expect(await known()).toEqual(['back', 'never', 'other', 'twice']);
  });

  test('stays as long as its removal runs or is being undone', async () => {
    const row = await seedFinding(at.db, 'running');
    await seedIntent(at.db, 'running', row);
    await at.db.update(intents).set({ openedAt: t0 - 900 * day });
    await saved('running', ['running']);
    await removal('undone', t0 - 900 * day);
    await at.db.insert(restores).values({
      id: 'x',
      catalog: key,
      removal: 'undone',
      actor: anna,
      at: t0,
      state: 'requested',
    });
    await purge();
    expect(await left()).toEqual(['running', 'undone']);
    await at.db.update(restores).set({ state: 'settled' });
    await purge();
    expect(await left()).toEqual(['running']);
  });

  test('B85 goes in batches, and a purge that is broken off is taken up where it was', async () => {
    for (let n = 0; n < 5; n += 1) await removal(`i${n}`, t0 - (900 - n) * day);
    await removal('big', t0 - 800 * day, ['p', 'q', 'r', 's', 't']);
    await purge(2, 1);
    expect(await left()).toEqual(['i2', 'i3', 'i4', 'p', 'q', 'r', 's', 't']);
    await purge(2);
    expect(await left()).toEqual([]);
    expect(await purge(2)).toBeGreaterThan(1); // removals themselves are kept, and looked at again
  });
});

describe('the audit', () => {
  test('is kept for ever where nobody says otherwise', async () => {
    await lines(0, t0 - 9_000 * day);
    await purge();
    expect(await told()).toHaveLength(2);
  });

  test('is kept as long as the policy says, and says that something went', async () => {
    await keepAudit(30);
    await lines(t0 - 30 * day, t0);
    await at.db.insert(audit).values({ at: 0, actor: anna, action: 'started', subject: 'x', detail: {} });
    await lines(t0 - 31 * day);
    await purge();
    const entries = await at.ledger.audit.page({ limit: 100 });
    expect(entries.map(({ action }) => action)).toEqual([
      'policy-applied',
      'paused',
      'paused',
      'started',
      'audit-purged',
    ]);
    expect(entries.at(-1)).toMatchObject({
      actor: { name: 'reconciler' },
      detail: { before: t0 - 30 * day, lines: 1 },
    });
    expect(await purge()).toBe(1);
    expect(await at.ledger.audit.page({ limit: 100 })).toEqual(entries);
  });

  test('B85 goes in batches too, the oldest first', async () => {
    await lines(1, 2, 3, 4, 5);
    await keepAudit(30);
    await purge(2, 1);
    expect((await at.ledger.audit.page({ catalog: key, limit: 3 })).map((line) => line.at)).toEqual([3, 4, 5]);
    await purge(2);
    expect(await told()).toEqual(['policy-applied', 'audit-purged', 'audit-purged', 'audit-purged']);
  });

  test('keeps what is said about a removal that runs', async () => {
    await keepAudit(30);
    await seedIntent(at.db, 'i1', await seedFinding(at.db, 'a'));
    const row = { catalog: key, actor: anna, action: 'intent-opened', detail: {}, at: 1 };
    await at.db.insert(audit).values([
      { ...row, subject: 'i1' },
      { ...row, subject: 'i0' },
    ]);
    await purge();
    expect((await at.ledger.audit.page({ limit: 9 })).map(({ subject }) => subject)).toEqual([key, 'i1', key]);
  });
});

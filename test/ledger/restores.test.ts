import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RequestAnswer, RestoreRecord } from '../../src/ledger/ledger.ts';
import type { RestoreOutcome, RestoreRefusal } from '../../src/domain/restore.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  audited,
  ben,
  day,
  decideOne,
  decisionsNow,
  historyOf,
  key,
  seedCatalog,
  seedFinding,
  seedIntent,
  seedRemoval,
  seedSaved,
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

const next = (now = t0) => at.ledger.removals.next(key, now);

const request = (
  removal: string,
  over: { id?: string; canRestore?: boolean; catalog?: string } = {},
): Promise<RequestAnswer> =>
  at.ledger.restores.request({
    id: 'wish',
    catalog: key,
    removal,
    actor: anna,
    reason: 'it is needed',
    canRestore: true,
    now: t0,
    ...over,
  });

const settle = (outcome: RestoreOutcome, warnings: RestoreRecord['warnings'] = []): Promise<RestoreRecord> =>
  at.ledger.restores.settle({ id: 'wish', outcome, reason: 'a test', warnings, entities: 2, now: t0 + 1 });

async function removed(): Promise<void> {
  await seedRemoval(at.db, 'i1', { entity: 'entity at sales', path: 'sales', finding: 'f1', entities: 3 });
  await seedSaved(at.db, 'i1', ['sales', 'sales/a', 'sales/b']);
}

describe('a wish to undo a removal', () => {
  test('B73 is on record with its keeps, who wished it and why, or not at all', async () => {
    await removed();
    const answer = await request('i1');
    expect(answer).toMatchObject({
      answer: 'requested',
      restore: { id: 'wish', removal: 'i1', state: 'requested', actor: anna, reason: 'it is needed', at: t0 },
    });
    expect(await decisionsNow(at.db)).toEqual(['keep active', 'keep active', 'keep active']);
    const [entry] = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(entry).toMatchObject({
      action: 'restore-requested',
      actor: anna,
      subject: 'wish',
      detail: { removal: 'i1', path: 'sales', entities: 3, keepUntil: t0 + 7 * day, reason: 'it is needed' },
    });
    expect((await at.ledger.restores.saved('i1')).map(({ path }) => path)).toEqual([
      ['sales'],
      ['sales', 'a'],
      ['sales', 'b'],
    ]);
  });

  test('is the next step before everything else, though the catalog is paused, stopped, held or away', async () => {
    await removed();
    await request('i1');
    await seedFinding(at.db, 'gone');
    await seedIntent(at.db, 'open', { id: 'gone', path: 'sales/gone', kind: 'table', entity: 'e' });
    await seedCatalog(at.db, {
      pause: { by: 'ben', reason: 'a look', at: t0 },
      stop: { reason: 'unknown', at: t0 },
      hold: ['all-absent'],
      state: 'unreachable',
    });
    expect(await next()).toEqual({ step: 'restore', restore: 'wish', path: ['sales'] });
    await settle('restored');
    expect(await next()).toMatchObject({ step: 'settle' });
  });

  test('keeps what comes back from being removed by the finding that a later round opens, for 7 days', async () => {
    await removed();
    await request('i1');
    await settle('restored');
    await seedFinding(at.db, 'again', { entity: 'entity at sales/a', path: 'sales/a' });
    expect((await at.ledger.findings.finding('again', t0))?.decision).toMatchObject({ action: 'keep' });
    const removal = { id: 'i2', catalog: key, action: 'remove', finding: 'again', exclusive: false } as const;
    const open = (now: number) => at.ledger.removals.openIntent({ ...removal, now, actBefore: now + 1 });
    expect(await open(t0 + 7 * day - 1)).toEqual({ answer: 'barred', bar: 'kept' });
    expect(await open(t0 + 7 * day)).toEqual({ answer: 'barred', bar: 'not-approved' });
    await decideOne(at.ledger, 'again', 'approve', { now: t0 + 1 });
    expect(await next(t0 + 1)).toMatchObject({ step: 'remove', finding: 'again' });
  });

  test('that is repeated, by the same key or by somebody else meanwhile, is one wish', async () => {
    await removed();
    const first = await request('i1');
    expect(await request('i1')).toEqual(first);
    expect(await request('i1', { id: 'another' })).toEqual(first);
    expect(await audited(at.ledger)).toHaveLength(1);
    expect(await decisionsNow(at.db)).toHaveLength(3);
  });

  test.each<[RestoreRefusal, () => Promise<void>, Parameters<typeof request>[1]]>([
    ['no-such-removal', async () => {}, {}],
    ['no-such-removal', () => removed(), { catalog: 'lake/other' }],
    ['not-removed', () => seedRemoval(at.db, 'i1', { outcome: 'present' }), {}],
    ['not-removed', () => seedRemoval(at.db, 'i1', { action: 'repoint', outcome: 'repointed' }), {}],
    ['not-saved', () => seedRemoval(at.db, 'i1'), {}],
    ['cannot-restore', () => removed(), { canRestore: false }],
  ])('is refused: %s', async (reason, given, over) => {
    await seedCatalog(at.db, { key: 'lake/other', name: 'other', publishedRound: 'other' });
    await given();
    expect(await request('i1', over)).toEqual({ answer: 'refused', reason, hint: expect.stringMatching(/\.$/) });
    expect(await decisionsNow(at.db)).toEqual([]);
    expect(await next()).toEqual({ step: 'done' });
  });

  test('a key that asked for another removal is refused', async () => {
    await removed();
    await seedRemoval(at.db, 'i2');
    await request('i1');
    expect(await request('i2')).toMatchObject({ answer: 'refused', reason: 'key-reused' });
  });
});

describe('a wish that was carried out', () => {
  test('has its outcome, its warnings and its line in audit and history, and is not settled twice', async () => {
    await removed();
    await request('i1');
    const warnings = [{ path: ['sales', 'a'], what: 'tag pii: there is no such tag any more' }] as const;
    const settled = await settle('restored', warnings);
    expect(settled).toMatchObject({ state: 'settled', outcome: 'restored', warnings, entities: 2, settledAt: t0 + 1 });
    expect(await settle('refused')).toEqual(settled);
    expect(await at.ledger.restores.restore('wish')).toEqual(settled);
    expect(await audited(at.ledger)).toEqual(['restore-requested by anna: wish', 'restore-settled by anna: wish']);
    expect(await historyOf(at.ledger, 'f1')).toEqual(['restore-requested', 'restored']);
    expect(await request('i1', { id: 'another' })).toMatchObject({ answer: 'refused', reason: 'already-restored' });
    expect(await next()).toEqual({ step: 'done' });
  });

  test('that the registry refused ends its keeps and no others, and may be wished again', async () => {
    await removed();
    await seedFinding(at.db, 'kept');
    await decideOne(at.ledger, 'kept', 'keep', { actor: ben });
    await request('i1');
    await settle('refused');
    expect([...(await decisionsNow(at.db))].sort()).toEqual([
      'keep active',
      'keep void not-restored',
      'keep void not-restored',
      'keep void not-restored',
    ]);
    expect(await request('i1', { id: 'another' })).toMatchObject({ answer: 'requested', restore: { id: 'another' } });
    expect((await at.ledger.restores.ofRemoval('i1')).map(({ id, state }) => [id, state])).toEqual([
      ['wish', 'settled'],
      ['another', 'requested'],
    ]);
  });
});

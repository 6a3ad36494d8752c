import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciler } from '../../src/domain/actor.ts';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { findings } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  audited,
  ben,
  type CatalogRow,
  day,
  decideOne,
  decisionsNow,
  digestOf,
  type FindingRow,
  hour,
  key,
  minute,
  ripe,
  seedCatalog,
  seedFinding,
  seedIntent,
  seedRound,
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

function open(finding: string, over: { id?: string; now?: number; exclusive?: boolean } = {}) {
  const { id = 'i1', now = t0, exclusive = false } = over;
  return at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'remove',
    finding,
    now,
    actBefore: now + minute,
    exclusive,
  });
}

const policy = (over: Partial<Policy>) =>
  at.ledger.catalogs.applyPolicy({
    catalog: key,
    policy: { ...defaultPolicy, ...over },
    intervalMs: hour,
    actor: anna,
    now: t0,
  });

const barred = (bar: string) => ({ answer: 'barred', bar });

describe('an intent', () => {
  test('carries what was approved, under the name of who approved it', async () => {
    await seedFinding(at.db, 'a', { version: '5' });
    await decideOne(at.ledger, 'a', 'approve', { actor: ben });
    const opened = await open('a');
    expect(opened).toMatchObject({
      answer: 'opened',
      intent: {
        id: 'i1',
        finding: 'a',
        entity: 'entity of a',
        path: ['sales', 'a'],
        version: '5',
        digest: digestOf('a'),
        actor: ben,
        round: 'r7',
        openedAt: t0,
        actBefore: t0 + minute,
      },
      finding: { id: 'a', evidence: { source: 'postgresql' }, decision: { action: 'approve' } },
    });
    const intent = opened.answer === 'opened' ? opened.intent : undefined;
    expect(await at.ledger.removals.openIntentOf(key)).toEqual(intent);
    expect(await audited(at.ledger)).toEqual(['decision-accepted by ben: a', 'intent-opened by ben: i1']);
  });

  test('by policy is opened under the name of unattended work', async () => {
    await policy({ mode: 'auto-remove' });
    await seedRound(at.db, 'r7', key, { policyVersion: 1 });
    await seedFinding(at.db, 'a', { standing: ripe({ due: true, dueAt: t0, waits: [] }) });
    expect(await open('a')).toMatchObject({ answer: 'opened', intent: { actor: reconciler } });
  });

  test('is the only one of its catalog, not of the house', async () => {
    await seedCatalog(at.db, { key: 'lake/other', name: 'other', publishedRound: 'r9' });
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decideOne(at.ledger, 'a', 'approve');
    await decideOne(at.ledger, 'b', 'approve');
    expect(await open('a')).toMatchObject({ answer: 'opened' });
    expect(await open('b', { id: 'i2' })).toEqual(barred('intent-open'));
    await seedFinding(at.db, 'c', { catalog: 'lake/other', movedBy: 'r9' });
    await decideOne(at.ledger, 'c', 'approve', { catalog: 'lake/other' });
    const elsewhere = await at.ledger.removals.openIntent({
      id: 'i3',
      catalog: 'lake/other',
      action: 'remove',
      finding: 'c',
      now: t0,
      actBefore: t0 + minute,
      exclusive: false,
    });
    expect(elsewhere).toMatchObject({ answer: 'opened' });
  });

  test('asked for again under the same id is not opened again, even when it is settled', async () => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await open('a');
    expect(await open('a')).toEqual(barred('intent-open'));
    await at.ledger.removals.settle({ intent: 'i1', outcome: 'abandoned', reason: 'x', entities: 0, now: t0 });
    expect(await open('a')).toEqual(barred('intent-open'));
    expect(await open('a', { id: 'i2' })).toMatchObject({ answer: 'opened' });
  });

  test('on a container covers what is inside', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 2 });
    await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
    await seedFinding(at.db, 'b', { path: 'sales/b', carrier: 'sales' });
    await decideOne(at.ledger, 'sales', 'approve');
    expect(await open('a')).toEqual(barred('container-first'));
    expect(await open('sales')).toMatchObject({ answer: 'opened' });
  });

  test('may take out what lives on under a registered name, if a person said so', async () => {
    await seedFinding(at.db, 'a', { standing: ripe({ verdict: 'renamed', due: true }), taken: true });
    await policy({ mode: 'auto-remove' });
    await seedRound(at.db, 'r7', key, { policyVersion: 1 });
    expect(await open('a')).toEqual(barred('not-absent'));
    await decideOne(at.ledger, 'a', 'approve');
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });
});

describe('no intent is opened', () => {
  test.each<[string, Partial<CatalogRow>]>([
    ['paused', { pause: { by: 'anna', reason: 'x', at: t0 } }],
    ['stopped', { stop: { reason: 'unknown', at: t0 } }],
    ['catalog-not-ok', { state: 'incomplete' }],
    ['held', { hold: ['too-few-probed'] }],
    // a newer round was published, and it did not look at this finding
    ['judged-by-older-round', { publishedRound: 'r8' }],
  ])('where the catalog is %s', async (bar, over) => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await seedCatalog(at.db, over);
    expect(await open('a')).toEqual(barred(bar));
  });

  test.each<[string, Partial<FindingRow>]>([
    ['closed', { state: 'closed' }],
    ['not-absent', { standing: ripe({ verdict: 'replaced' }) }],
    ['container-first', { carrier: 'sales' }],
    ['blocked-inside', { blocker: { path: ['sales', 'a', 'x'], why: 'too-young' } }],
    ['not-ripe', { standing: ripe({ ripe: false }) }],
    // B41, B89: what was approved is not what is there now
    ['not-approved', { digest: 'other' }],
  ])('on a finding that became %s after it was approved', async (bar, over) => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await at.db.update(findings).set(over).where(eq(findings.id, 'a'));
    expect(await open('a')).toEqual(barred(bar));
    expect(await at.ledger.removals.openIntentOf(key)).toBeUndefined();
  });

  test('on a finding that is not there', async () => {
    expect(await open('nobody')).toEqual(barred('closed'));
  });

  test('in a catalog that was never looked at', async () => {
    await expect(
      at.ledger.removals.openIntent({
        id: 'i1',
        catalog: 'lake/nobody',
        action: 'remove',
        finding: 'a',
        now: t0,
        actBefore: t0,
        exclusive: false,
      }),
    ).rejects.toMatchObject({ type: 'InvalidRequest', code: 'no-such-catalog' });
  });

  test('once the approval expired', async () => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    expect(await open('a', { now: t0 + 7 * day })).toEqual(barred('not-approved'));
  });

  test.each(['reject', 'keep'] as const)('once a person said %s', async (action) => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await decideOne(at.ledger, 'a', action, { now: t0 + 1 });
    expect(await open('a', { now: t0 + 1 })).toEqual(barred(action === 'keep' ? 'kept' : 'rejected'));
  });

  test('on a registration that is kept since an earlier finding on it', async () => {
    await seedFinding(at.db, 'a', { entity: 'e' });
    await decideOne(at.ledger, 'a', 'keep');
    await at.db.update(findings).set({ state: 'closed' }).where(eq(findings.id, 'a'));
    await seedFinding(at.db, 'b', { entity: 'e', standing: ripe({ due: true, dueAt: t0 }) });
    expect(await open('b')).toEqual(barred('kept'));
  });

  test.each(['reject', 'keep'] as const)('on a container once a person said %s to something inside', async (action) => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 1 });
    await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
    await decideOne(at.ledger, 'sales', 'approve');
    await decideOne(at.ledger, 'a', action);
    expect(await open('sales')).toEqual(barred('blocked-inside'));
  });

  test.each([false, true])('while a round probes (dry: %s), where the registry stands no company', async (dry) => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await seedRound(at.db, 'r8', key, { state: 'running', dry });
    expect(await open('a', { exclusive: true })).toEqual(barred('round-running'));
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });
});

describe('B55 after a change of policy', () => {
  beforeEach(() => seedFinding(at.db, 'a', { standing: ripe({ due: true, dueAt: t0, waits: [] }) }));

  test('nothing goes by what a laxer one called ripe, not even what was approved since', async () => {
    await policy({ protect: ['sales/*'] });
    await decideOne(at.ledger, 'a', 'approve');
    expect(await open('a')).toEqual(barred('judged-by-older-round'));
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'wait', why: 'judged-by-older-round' });
    await seedRound(at.db, 'r7', key, { policyVersion: 1 });
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });

  test('nothing goes unattended before a round of the new one, but what was approved does', async () => {
    await policy({ mode: 'auto-remove' });
    await seedRound(at.db, 'r7', key, { policyVersion: 1 });
    await policy({ mode: 'auto-remove', graceMs: 9 * day });
    expect(await open('a')).toEqual(barred('not-approved'));
    expect(await at.ledger.removals.next(key, t0)).toMatchObject({ step: 'wait', why: 'nothing-due' });
    await decideOne(at.ledger, 'a', 'approve');
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });
});

describe('B46 two things at the same moment', () => {
  test('once the removal has begun, a keep is too late and says so', async () => {
    const a = await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await open('a');
    await expect(decideOne(at.ledger, 'a', 'keep', { now: t0 + 1 })).resolves.toMatchObject({
      reason: 'removal-running',
    });
    expect(await decisionsNow(at.db)).toEqual(['approve active']);
    expect(a.state).toBe('open');
  });

  test('one corrupt row does not keep the lists from answering', async () => {
    const broken = await seedFinding(at.db, 'a', { path: 'sales/%zz' });
    await seedIntent(at.db, 'i1', broken);
    await at.ledger.removals.settle({ intent: 'i1', outcome: 'refused', reason: 'x', entities: 0, now: t0 });
    expect(await at.ledger.removals.page({ catalog: key, limit: 10 })).toMatchObject([{ path: ['sales/%zz'] }]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RemovalOutcome } from '../../src/domain/removal.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  audited,
  decideOne,
  decisionsNow,
  type FindingRow,
  historyOf,
  hour,
  key,
  minute,
  ripe,
  seedCatalog,
  seedFinding,
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

const renamed = (movedTo: string, over: Partial<FindingRow> = {}): Partial<FindingRow> => ({
  standing: ripe({ verdict: 'renamed', misses: 0, ripe: false, waits: ['verdict'] }),
  movedTo,
  ...over,
});

const next = (now = t0) => at.ledger.removals.next(key, now);

const openIntent = (finding: string, id = `intent on ${finding}`) =>
  at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'repoint',
    finding,
    now: t0,
    actBefore: t0 + minute,
    exclusive: false,
  });

const settle = (intent: string, outcome: RemovalOutcome, entities = 1) =>
  at.ledger.removals.settle({ intent, outcome, reason: 'a test', entities, now: t0 + 1 });

async function begun(id: string, over: Partial<FindingRow> = {}): Promise<string> {
  await seedFinding(at.db, id, renamed('sales/new', over));
  await decideOne(at.ledger, id, 'repoint');
  expect(await openIntent(id)).toMatchObject({ answer: 'opened' });
  return `intent on ${id}`;
}

describe('a finding that a person wants re-pointed', () => {
  test('comes before removals, and a container before what moves along with it', async () => {
    await seedFinding(at.db, 'gone');
    await decideOne(at.ledger, 'gone', 'approve', { now: t0 - 1 });
    await seedFinding(at.db, 'inner', renamed('new/t', { path: 'old/t' }));
    await seedFinding(at.db, 'outer', renamed('new', { path: 'old', kind: 'schema' }));
    for (const id of ['inner', 'outer']) await decideOne(at.ledger, id, 'repoint');
    expect(await next()).toEqual({ step: 'repoint', finding: 'outer', path: ['old'], kind: 'schema' });
  });

  test('is not kept waiting by a hold, though removals are', async () => {
    await seedCatalog(at.db, { hold: ['all-absent'] });
    await seedFinding(at.db, 'gone');
    await decideOne(at.ledger, 'gone', 'approve');
    expect(await next()).toMatchObject({ step: 'wait', why: 'held: all-absent' });
    await seedFinding(at.db, 'a', renamed('sales/new'));
    await decideOne(at.ledger, 'a', 'repoint');
    expect(await next()).toMatchObject({ step: 'repoint', finding: 'a' });
    expect(await openIntent('a')).toMatchObject({ answer: 'opened' });
  });

  test.each([
    ['paused', { pause: { by: 'anna', reason: 'a look', at: t0 } }, 'paused'],
    ['stopped', { stop: { reason: 'unknown', at: t0 } }, 'stopped'],
    ['a source that was away', { state: 'unreachable' as const }, 'catalog-not-ok'],
  ])('waits for a catalog that is %s', async (_name, over, bar) => {
    await seedCatalog(at.db, over);
    await seedFinding(at.db, 'a', renamed('sales/new'));
    await decideOne(at.ledger, 'a', 'repoint');
    expect(await next()).toMatchObject({ step: 'wait', why: expect.stringContaining(bar) });
    expect(await openIntent('a')).toEqual({ answer: 'barred', bar });
  });

  test('waits no longer than an approval would', async () => {
    await seedFinding(at.db, 'a', renamed('sales/new'));
    await decideOne(at.ledger, 'a', 'repoint');
    const { approvalTtlMs } = defaultPolicy;
    expect(await next(t0 + approvalTtlMs - 1)).toMatchObject({ step: 'repoint' });
    expect(await next(t0 + approvalTtlMs)).toMatchObject({ step: 'wait' });
  });

  test('waits for a person anew once the policy became stricter', async () => {
    const policy = (misses: number) =>
      at.ledger.catalogs.applyPolicy({
        catalog: key,
        policy: { ...defaultPolicy, misses },
        intervalMs: hour,
        actor: anna,
        now: t0,
      });
    await seedFinding(at.db, 'a', renamed('sales/new'));
    await decideOne(at.ledger, 'a', 'repoint');
    await policy(5);
    expect(await decisionsNow(at.db)).toEqual(['repoint void policy-stricter']);
  });

  test('whose evidence became another is left alone', async () => {
    await seedFinding(at.db, 'a', renamed('sales/new'));
    const answer = await decideOne(at.ledger, 'a', 'repoint', { digest: 'of the name before' });
    expect(answer).toMatchObject({ answer: 'refused', reason: 'changed' });
    expect(await openIntent('a')).toEqual({ answer: 'barred', bar: 'not-approved' });
  });

  test('is never removed on the strength of that decision, nor re-pointed on that of an approval', async () => {
    await seedFinding(at.db, 'a', renamed('sales/new', { taken: true, standing: ripe({ verdict: 'renamed' }) }));
    await decideOne(at.ledger, 'a', 'approve');
    expect(await openIntent('a')).toEqual({ answer: 'barred', bar: 'not-renamed' });
    await seedFinding(at.db, 'b', renamed('sales/new'));
    await decideOne(at.ledger, 'b', 'repoint');
    const removal = { id: 'i', catalog: key, action: 'remove', finding: 'b', now: t0 } as const;
    const opened = await at.ledger.removals.openIntent({ ...removal, actBefore: t0 + minute, exclusive: false });
    expect(opened).toEqual({ answer: 'barred', bar: 'not-absent' });
  });

  test('of a registry that cannot rename is refused, with the refusal in the audit', async () => {
    await seedFinding(at.db, 'a', renamed('sales/new'));
    const answer = await decideOne(at.ledger, 'a', 'repoint', { canRepoint: false });
    expect(answer).toMatchObject({ answer: 'refused', reason: 'cannot-repoint' });
    expect(await audited(at.ledger)).toEqual(['decision-refused by anna: a']);
  });
});

describe('an intent to re-point', () => {
  test('names the place, bars every other intent, and is in the audit with its actor', async () => {
    const intent = await begun('a');
    expect(await next()).toMatchObject({ step: 'settle', intent: { id: intent, action: 'repoint' } });
    expect(await at.ledger.removals.openIntentOf(key)).toMatchObject({ movedTo: ['sales', 'new'], actor: anna });
    expect(await openIntent('a', 'another')).toEqual({ answer: 'barred', bar: 'intent-open' });
    expect((await audited(at.ledger)).at(-1)).toBe(`repoint-opened by anna: ${intent}`);
  });

  test('that is done closes the finding and what moved with it; what is absent inside stays open', async () => {
    await seedRound(at.db, 'r7');
    await seedFinding(at.db, 'moved', renamed('new/t', { path: 'old/t' }));
    await seedFinding(at.db, 'lost', { path: 'old/lost' });
    await seedFinding(at.db, 'beside', { path: 'older' });
    await decideOne(at.ledger, 'moved', 'repoint');
    await decideOne(at.ledger, 'lost', 'approve');
    const intent = await begun('outer', { path: 'old', kind: 'schema', movedTo: 'new' });
    const record = await settle(intent, 'repointed', 3);
    expect(record).toMatchObject({
      action: 'repoint',
      outcome: 'repointed',
      path: ['old'],
      movedTo: ['new'],
      entities: 3,
    });
    const state = async (id: string) => (await at.ledger.findings.finding(id, t0))?.closedWhy;
    expect(await Promise.all(['outer', 'moved', 'lost', 'beside'].map(state))).toEqual([
      'repointed',
      'repointed',
      undefined,
      undefined,
    ]);
    expect([...(await decisionsNow(at.db))].sort()).toEqual([
      'approve active',
      'repoint consumed repointed',
      'repoint consumed repointed',
    ]);
    expect((await audited(at.ledger)).at(-1)).toBe(`repoint-settled by anna: ${intent}`);
  });

  test.each<[RemovalOutcome, string]>([
    ['present', 'repoint void present'],
    ['changed', 'repoint void changed'],
    ['renamed', 'repoint void renamed'],
    ['refused', 'repoint void refused'],
    ['abandoned', 'repoint active'],
    ['source-unreachable', 'repoint active'],
  ])('that ends as %s leaves the finding open', async (outcome, decision) => {
    await settle(await begun('a'), outcome, 0);
    expect(await decisionsNow(at.db)).toEqual([decision]);
    expect((await at.ledger.findings.finding('a', t0))?.state).toBe('open');
    expect(await historyOf(at.ledger, 'a')).toContain('not-repointed');
    expect(await next(t0 + 1)).toMatchObject({ step: outcome === 'abandoned' ? 'repoint' : 'wait' });
  });
});

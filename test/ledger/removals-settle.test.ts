import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { outcomeRules, type RemovalOutcome } from '../../src/domain/removal.ts';
import { catalogs, findings, intents, overrides, removals } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  audited,
  day,
  decideOne,
  decisionsNow,
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

/** Approves the finding and opens intent `i on <finding>`. */
async function begin(finding: string, now = t0): Promise<string> {
  await decideOne(at.ledger, finding, 'approve', { now });
  const id = `i on ${finding}`;
  const opened = await at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'remove',
    finding,
    now,
    actBefore: now + minute,
    exclusive: false,
  });
  expect(opened.answer).toBe('opened');
  return id;
}

function settle(intent: string, outcome: RemovalOutcome, now = t0 + 1) {
  return at.ledger.removals.settle({ intent, outcome, reason: `it was ${outcome}`, entities: 1, now });
}

const finding = (id: string) => at.ledger.findings.finding(id, t0 + 1);
const stop = async () => (await at.ledger.catalogs.catalog(key))?.stop;
const outcomes = Object.keys(outcomeRules) as RemovalOutcome[];
const decisionAfter = {
  removed: 'approve consumed removed',
  repointed: 'approve consumed repointed',
  'already-gone': 'approve consumed already-gone',
  present: 'approve void present',
  changed: 'approve void changed',
  replaced: 'approve void replaced',
  renamed: 'approve void renamed',
  refused: 'approve void refused',
  'not-permitted': 'approve active',
  'source-unreachable': 'approve active',
  abandoned: 'approve active',
  unknown: 'approve active',
} satisfies Record<RemovalOutcome, string>;

describe('after an outcome', () => {
  test.each(outcomes)('%s: finding, decision, intent, stop, record and audit are as the rules say', async (outcome) => {
    await seedFinding(at.db, 'a');
    const intent = await begin('a');
    const record = await settle(intent, outcome);
    const rules = outcomeRules[outcome];
    const after = await finding('a');

    expect(after?.state).toBe(rules.finding);
    expect(await decisionsNow(at.db)).toEqual([decisionAfter[outcome]]);
    expect(await stop()).toEqual(rules.stops ? { reason: outcome, at: t0 + 1 } : undefined);
    if (outcome === 'unknown') {
      expect(record).toBeUndefined();
      expect(await at.db.select().from(removals)).toEqual([]);
      expect(await at.ledger.removals.openIntentOf(key)).toMatchObject({ id: intent });
      expect((await audited(at.ledger)).at(-1)).toBe(`removal-unclear by anna: ${intent}`);
      return;
    }
    expect(record).toMatchObject({
      id: intent,
      finding: 'a',
      path: ['sales', 'a'],
      outcome,
      actor: anna,
      evidence: 'seen',
      entities: 1,
      at: t0 + 1,
    });
    expect(await at.ledger.removals.removal(intent)).toEqual(record);
    expect(await at.ledger.removals.openIntentOf(key)).toBeUndefined();
    expect((await audited(at.ledger)).at(-1)).toBe(`removal-settled by anna: ${intent}`);
    expect(after?.closedWhy).toBe(rules.finding === 'closed' ? outcome : undefined);
    expect(await historyOf(at.ledger, 'a')).toContain(rules.finding === 'closed' ? 'closed' : 'not-removed');
  });

  test.each(outcomes.filter((outcome) => outcomeRules[outcome].finding === 'open' && outcome !== 'unknown'))(
    '%s: nothing acts on the finding before another round has judged it, unless it may be tried again',
    async (outcome) => {
      await at.ledger.catalogs.applyPolicy({
        catalog: key,
        policy: { ...defaultPolicy, mode: 'auto-remove' },
        intervalMs: hour,
        actor: anna,
        now: t0,
      });
      await seedRound(at.db, 'r7', key, { policyVersion: 1 });
      await seedFinding(at.db, 'a', { standing: ripe({ due: true, dueAt: t0, waits: [] }) });
      await settle(await begin('a'), outcome);
      await at.ledger.decisions.resume(key, anna, t0 + 1);
      const { again } = outcomeRules[outcome];
      expect((await finding('a'))?.standing).toMatchObject({ misses: 2, due: again, ripe: again });
      expect(await at.ledger.removals.next(key, t0 + 1)).toMatchObject({ step: again ? 'remove' : 'wait' });
    },
  );
});

describe('B74 what was removed is closed with the outcome', () => {
  test('and with it everything that it carried, at any depth, and nothing beside it', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 3 });
    await seedFinding(at.db, 'a', { path: 'sales/a' });
    await decideOne(at.ledger, 'a', 'approve', { now: t0 - hour });
    await at.db.update(findings).set({ carrier: 'sales' }).where(eq(findings.id, 'a'));
    await seedFinding(at.db, 'b', { path: 'sales/b', kind: 'schema', carrier: 'sales' });
    await seedFinding(at.db, 'c', { path: 'sales/b/c', carrier: 'sales' });
    await seedFinding(at.db, 'beside', { path: 'sales0/a' });
    await seedFinding(at.db, 'before', { path: 'sales!/a' });
    await settle(await begin('sales'), 'removed');
    expect(await Promise.all(['a', 'b', 'c'].map(finding))).toMatchObject(
      Array(3).fill({ state: 'closed', closedWhy: 'removed' }),
    );
    expect((await finding('beside'))?.state).toBe('open');
    expect((await finding('before'))?.state).toBe('open');
    expect(await decisionsNow(at.db)).toEqual(['approve consumed removed', 'approve consumed removed']);
    const history = await at.ledger.findings.history('c');
    expect(history).toMatchObject([{ at: t0 + 1, what: 'closed', detail: { why: 'removed', with: 'sales' } }]);
  });

  test('so that nothing is left to remove', async () => {
    await seedFinding(at.db, 'a');
    await settle(await begin('a'), 'already-gone');
    expect(await at.ledger.removals.next(key, t0 + 1)).toEqual({ step: 'done' });
    expect(await at.ledger.findings.count(key, t0 + 1)).toMatchObject({ open: 0 });
  });

  test('in a container of more registrations than a statement closes', async () => {
    const policy = { ...defaultPolicy, removalsPerRound: 10_000, removalsPerDay: 10_000 };
    await at.ledger.catalogs.applyPolicy({ catalog: key, policy, intervalMs: hour, actor: anna, now: t0 });
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 5_001 });
    await seedFinding(at.db, 'first', { path: 'sales/first', carrier: 'sales' });
    await at.db.execute(sql`
      insert into findings select copy.* from findings f, generate_series(1, 5000) i, jsonb_populate_record(f,
        jsonb_build_object('id', 'f' || i, 'entity', 'e' || i, 'path', 'sales/f' || i)) copy
      where f.id = 'first'`);
    await settle(await begin('sales'), 'removed');
    expect(await at.db.$count(findings, eq(findings.state, 'open'))).toBe(0);
    expect(await historyOf(at.ledger, 'f5000')).toEqual(['closed']);
  });

  test('a keep outlives the finding, a rejection does not', async () => {
    await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 2 });
    await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
    await seedFinding(at.db, 'b', { path: 'sales/b', carrier: 'sales' });
    const intent = await begin('sales');
    // as if they had been given on other evidence
    await at.db.update(intents).set({ state: 'settled' });
    await decideOne(at.ledger, 'a', 'keep', { now: t0 + 1 });
    await decideOne(at.ledger, 'b', 'reject', { now: t0 + 2 });
    await at.db.update(intents).set({ state: 'open' });
    await settle(intent, 'already-gone');
    expect(await decisionsNow(at.db)).toEqual([
      'approve consumed already-gone',
      'keep active',
      'reject void already-gone',
    ]);
  });
});

describe('a settled intent', () => {
  test('B44 stays as it is, and answers with its first outcome', async () => {
    await seedFinding(at.db, 'a');
    const intent = await begin('a');
    const first = await settle(intent, 'removed');
    expect(await settle(intent, 'already-gone', t0 + hour)).toEqual(first);
    expect(await settle(intent, 'unknown', t0 + hour)).toEqual(first);
    expect(await at.db.select().from(removals)).toHaveLength(1);
    expect(await stop()).toBeUndefined();
    expect((await audited(at.ledger)).filter((line) => line.startsWith('removal'))).toHaveLength(1);
  });

  test('B44 whose outcome was unknown is settled once the world has been looked at', async () => {
    await seedFinding(at.db, 'a');
    const intent = await begin('a');
    await settle(intent, 'unknown');
    await settle(intent, 'unknown', t0 + 2);
    expect(await at.ledger.removals.next(key, t0 + 2)).toMatchObject({ step: 'settle', intent: { id: intent } });
    expect(await settle(intent, 'already-gone', t0 + 3)).toMatchObject({ outcome: 'already-gone' });
    expect((await finding('a'))?.state).toBe('closed');
    expect((await audited(at.ledger)).filter((line) => line.startsWith('removal'))).toEqual([
      `removal-unclear by anna: ${intent}`,
      `removal-settled by anna: ${intent}`,
    ]);
  });

  test('that was never opened is an error', async () => {
    await expect(settle('nobody', 'removed')).rejects.toMatchObject({ code: 'no-such-intent' });
  });
});

describe('the loop stops', () => {
  async function tried(id: string, outcome: RemovalOutcome, now: number): Promise<void> {
    await seedFinding(at.db, id);
    await settle(await begin(id, now), outcome, now);
  }

  test('at the third present among twenty, and goes on when a person says so', async () => {
    await tried('a', 'present', t0 + 1);
    for (let i = 2; i < 18; i += 1) await tried(`r${i}`, 'removed', t0 + i);
    await tried('b', 'present', t0 + 18);
    expect(await stop()).toBeUndefined();
    await tried('c', 'present', t0 + 19);
    expect(await stop()).toEqual({ reason: 'too-many-present', at: t0 + 19 });
    expect(await at.ledger.removals.next(key, t0 + 20)).toMatchObject({ why: 'stopped: too-many-present' });
    await at.ledger.decisions.resume(key, anna, t0 + 20);
    await tried('d', 'removed', t0 + 21);
    expect(await stop()).toBeUndefined();
    await tried('e', 'present', t0 + 22);
    expect(await stop()).toMatchObject({ reason: 'too-many-present' });
  });

  test('not for presents that lie further back', async () => {
    await tried('a', 'present', t0 + 1);
    await tried('b', 'present', t0 + 2);
    for (let i = 3; i < 22; i += 1) await tried(`r${i}`, 'removed', t0 + i);
    await tried('c', 'present', t0 + 22);
    expect(await stop()).toBeUndefined();
  });
});

test('B56 a removal that did not happen gives nothing back to the override that let it through', async () => {
  await at.db.update(catalogs).set({ hold: ['all-absent'] });
  await seedFinding(at.db, 'a');
  await at.ledger.decisions.override({
    id: 'o1',
    catalog: key,
    actor: anna,
    reason: 'x',
    maxCount: 1,
    expiresAt: t0 + day,
    now: t0,
  });
  await settle(await begin('a'), 'present');
  expect(await at.db.select({ used: overrides.used }).from(overrides)).toEqual([{ used: 1 }]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { decisions, intents, overrides } from '../../src/ledger/schema.ts';
import { anna, decideOne, hour, key, minute, seedCatalog, seedFinding, t0 } from '../ledger/seed.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { PostgresServer } from '../support/postgres-server.ts';

/** What needs two connections at once; everything else is tested on the embedded database. */

let server: PostgresServer;
let at: TestLedger;
beforeAll(async () => {
  server = await PostgresServer.start();
  at = await openTestLedger(server.url());
});
afterAll(async () => {
  await at?.close();
  await server?.close();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const together = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_unused, index) => act(index)));

const open = (finding: string, id = `i on ${finding}`) =>
  at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'remove',
    finding,
    now: t0,
    actBefore: t0 + minute,
    exclusive: false,
  });

/** Races are rare by nature; so many tries have shown every one that we built in on purpose. */
const tries = 30;

test('twenty at once with the same key decide once', async () => {
  await seedFinding(at.db, 'a');
  const answers = await together(20, () => decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' }));
  expect(answers.filter((answer) => answer.answer === 'accepted' && !answer.repeated)).toHaveLength(1);
  expect(new Set(answers.map((answer) => (answer.answer === 'accepted' ? answer.decisionId : 'refused'))).size).toBe(1);
  expect(await at.db.select().from(decisions)).toHaveLength(1);
  expect(await at.ledger.audit.page({ catalog: key, limit: 50 })).toHaveLength(1);
});

test('twenty at once with keys of their own leave one decision in force', async () => {
  await seedFinding(at.db, 'a');
  await together(20, (i) => decideOne(at.ledger, 'a', i % 2 === 0 ? 'approve' : 'reject', { requestKey: `k${i}` }));
  const rows = await at.db.select().from(decisions);
  expect(rows).toHaveLength(20);
  expect(rows.filter(({ state }) => state === 'active')).toHaveLength(1);
});

test('twenty intents at once open one', async () => {
  for (let i = 0; i < 20; i += 1) {
    await seedFinding(at.db, `f${i}`);
    await decideOne(at.ledger, `f${i}`, 'approve');
  }
  const answers = await together(20, (i) => open(`f${i}`));
  expect(answers.filter(({ answer }) => answer === 'opened')).toHaveLength(1);
  expect(answers.filter((answer) => answer.answer === 'barred' && answer.bar === 'intent-open')).toHaveLength(19);
  expect(await at.db.select().from(intents)).toHaveLength(1);
});

describe('B46 a removal and what speaks against it, at the same moment: exactly one wins and the other is told', () => {
  test.each(['reject', 'keep'] as const)('%s of the finding', async (action) => {
    for (let i = 0; i < tries; i += 1) {
      await at.reset();
      await seedCatalog(at.db);
      await seedFinding(at.db, 'a');
      await decideOne(at.ledger, 'a', 'approve');
      const [opened, answer] = await Promise.all([open('a'), decideOne(at.ledger, 'a', action, { now: t0 + 1 })]);
      const bar = action === 'keep' ? 'kept' : 'rejected';
      if (opened.answer === 'opened') expect(answer).toMatchObject({ answer: 'refused', reason: 'removal-running' });
      else expect([opened.bar, answer.answer]).toEqual([bar, 'accepted']);
    }
  });

  test.each(['reject', 'keep'] as const)('%s of something inside the container', async (action) => {
    for (let i = 0; i < tries; i += 1) {
      await at.reset();
      await seedCatalog(at.db);
      await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 1 });
      await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
      await decideOne(at.ledger, 'sales', 'approve');
      const [opened, answer] = await Promise.all([open('sales'), decideOne(at.ledger, 'a', action, { now: t0 + 1 })]);
      if (opened.answer === 'opened') expect(answer).toMatchObject({ answer: 'refused', reason: 'removal-running' });
      else expect([opened.bar, answer.answer]).toEqual(['blocked-inside', 'accepted']);
    }
  });

  test.each(['pause', 'stricter policy'] as const)('a %s', async (what) => {
    for (let i = 0; i < tries; i += 1) {
      await at.reset();
      await seedCatalog(at.db);
      await seedFinding(at.db, 'a');
      await decideOne(at.ledger, 'a', 'approve');
      const against =
        what === 'pause'
          ? at.ledger.decisions.pause(key, { by: 'anna', reason: 'x', at: t0 }, anna)
          : at.ledger.catalogs.applyPolicy({
              catalog: key,
              policy: { ...defaultPolicy, misses: 9 },
              intervalMs: hour,
              actor: anna,
              now: t0,
            });
      const [opened] = await Promise.all([open('a'), against]);
      const order = (await at.ledger.audit.page({ catalog: key, limit: 10 })).map(({ action }) => action).slice(1);
      const after = what === 'pause' ? 'paused' : 'policy-applied';
      expect(order).toEqual(opened.answer === 'opened' ? ['intent-opened', after] : [after]);
    }
  });
});

test('an outcome told twice at once is recorded once', async () => {
  await seedFinding(at.db, 'a');
  await decideOne(at.ledger, 'a', 'approve');
  await open('a', 'i1');
  const records = await together(8, (i) =>
    at.ledger.removals.settle({
      intent: 'i1',
      outcome: i % 2 === 0 ? 'removed' : 'already-gone',
      reason: 'looked',
      entities: 1,
      now: t0 + 1,
    }),
  );
  expect(new Set(records.map((record) => record?.outcome)).size).toBe(1);
  expect(await at.ledger.removals.page({ catalog: key, limit: 10 })).toHaveLength(1);
  expect((await at.ledger.audit.page({ catalog: key, limit: 10 })).map(({ action }) => action)).toEqual([
    'decision-accepted',
    'intent-opened',
    'removal-settled',
  ]);
});

test('a wish for an override repeated at once is granted once', async () => {
  await seedCatalog(at.db, { hold: ['all-absent'] });
  await seedFinding(at.db, 'a');
  const answers = await together(8, () =>
    at.ledger.decisions.override({
      id: 'o1',
      catalog: key,
      actor: anna,
      reason: 'x',
      maxCount: 1,
      expiresAt: t0 + hour,
      now: t0,
    }),
  );
  expect(answers).toEqual(Array(8).fill({ answer: 'created', id: 'o1', admits: 1, state: 'active' }));
  expect(await at.db.select().from(overrides)).toHaveLength(1);
});

test('people decide on one catalog side by side', async () => {
  for (let i = 0; i < 40; i += 1) await seedFinding(at.db, `f${i}`);
  const answers = await together(40, (i) => decideOne(at.ledger, `f${i}`, 'approve'));
  expect(answers.every(({ answer }) => answer === 'accepted')).toBe(true);
});

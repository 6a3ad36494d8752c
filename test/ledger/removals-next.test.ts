import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Blocker } from '../../src/domain/containers.ts';
import type { DecisionAction } from '../../src/domain/decision.ts';
import type { Standing } from '../../src/domain/finding.ts';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import type { EntityKind } from '../../src/domain/registration.ts';
import { findings } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  day,
  decideOne,
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

const next = (now = t0) => at.ledger.removals.next(key, now);

/** The published round has gone by it. */
async function policy(over: Partial<Policy>, catalog = key, round = 'r7'): Promise<void> {
  const { version: policyVersion } = await at.ledger.catalogs.applyPolicy({
    catalog,
    policy: { ...defaultPolicy, ...over },
    intervalMs: hour,
    actor: anna,
    now: t0,
  });
  await seedRound(at.db, round, catalog, { policyVersion });
}

const due = (dueAt: number) => ({ standing: ripe({ due: true, dueAt, waits: [] }) });

async function approved(id: string, now = t0, over: Partial<FindingRow> = {}): Promise<void> {
  await seedFinding(at.db, id, over);
  await decideOne(at.ledger, id, 'approve', { now });
}

describe('the next step', () => {
  test('is none in a catalog without open findings, or one that nobody knows', async () => {
    await seedFinding(at.db, 'a', { state: 'closed' });
    expect(await next()).toEqual({ step: 'done' });
    expect(await at.ledger.removals.next('lake/nobody', t0)).toEqual({ step: 'done' });
  });

  test('is to settle an open intent, before and in spite of everything else', async () => {
    await approved('a');
    const b = await seedFinding(at.db, 'b');
    await seedIntent(at.db, 'i1', b);
    await seedCatalog(at.db, { pause: { by: 'anna', reason: 'x', at: t0 }, stop: { reason: 'unknown', at: t0 } });
    expect(await next()).toMatchObject({ step: 'settle', intent: { id: 'i1', finding: 'b', path: ['sales', 'b'] } });
  });

  test('is the finding whose approval is oldest', async () => {
    await approved('b', t0 + 1);
    await approved('a', t0 + 2);
    await approved('c', t0);
    expect(await next(t0 + 2)).toEqual({ step: 'remove', finding: 'c', path: ['sales', 'c'], kind: 'table' });
  });

  test('is what a person approved before what the policy made due', async () => {
    await policy({ mode: 'auto-remove' });
    await seedFinding(at.db, 'a', due(t0 - day));
    await approved('b');
    expect(await next()).toMatchObject({ finding: 'b' });
  });

  test('is what has been due longest, then the first by path', async () => {
    await policy({ mode: 'auto-remove' });
    await seedFinding(at.db, 'c', due(t0 - day));
    await seedFinding(at.db, 'b', due(t0 - 9 * day));
    await seedFinding(at.db, 'a', due(t0 - 9 * day));
    expect(await next()).toMatchObject({ finding: 'a' });
  });

  test('takes what is due for kinds in auto-remove only', async () => {
    await policy({ mode: 'auto-remove', modeByKind: { table: 'report-only' } });
    await seedFinding(at.db, 'a', due(t0));
    expect(await next()).toMatchObject({ step: 'wait', why: 'nothing-due' });
    await seedFinding(at.db, 'b', { ...due(t0), kind: 'view' });
    expect(await next()).toMatchObject({ finding: 'b' });
  });

  test('is nothing in report-only, however long something has been due', async () => {
    await seedFinding(at.db, 'a', due(t0 - day));
    expect(await next()).toEqual({ step: 'wait', why: 'not-approved', open: 1 });
  });

  test.each<[string, Partial<FindingRow>]>([
    ['not ripe', { standing: ripe({ ripe: false }) }],
    ['replaced meanwhile', { standing: ripe({ verdict: 'replaced' }) }],
    ['judged by an older round', { movedBy: 'r6' }],
    ['carried', { carrier: 'sales' }],
    ['blocked', { blocker: { path: ['sales', 'x'], why: 'kept' } }],
  ])('passes over more that are %s than it reads, to one that may go', async (_name, over) => {
    for (let i = 0; i < 6; i += 1) await approved(`a${i}`);
    await at.db.update(findings).set(over);
    await approved('z', t0 + 1);
    expect(await next(t0 + 1)).toMatchObject({ step: 'remove', finding: 'z' });
  });

  test('passes over more that are held than it reads, to one that an override admits', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await approved('z', t0 + 1);
    const wish = { id: 'o1', catalog: key, actor: anna, reason: 'x', maxCount: 1, expiresAt: t0 + day, now: t0 };
    await at.ledger.decisions.override(wish);
    for (let i = 0; i < 6; i += 1) await approved(`a${i}`);
    expect(await next(t0 + 1)).toMatchObject({ step: 'remove', finding: 'z' });
  });
});

describe('the loop waits, and says why', () => {
  test.each([
    ['paused', { pause: { by: 'anna', reason: 'x', at: t0 } }],
    ['stopped: too-many-present', { stop: { reason: 'too-many-present', at: t0 } }],
    ['catalog-not-ok: unreachable', { state: 'unreachable' }],
    ['catalog-not-ok: source-changed', { state: 'source-changed' }],
    ['held: all-absent, new-epoch', { hold: ['all-absent', 'new-epoch'] }],
  ] as const)('%s', async (why, over) => {
    await approved('a');
    await seedCatalog(at.db, over);
    expect(await next()).toEqual({ step: 'wait', why, open: 1 });
  });

  test.each<[string, Partial<FindingRow>]>([
    ['judged-by-older-round', { movedBy: 'r6' }],
    ['blocked-inside', { kind: 'schema', inside: 2, blocker: { path: ['sales', 'x'], why: 'not-absent' } }],
    ['not-ripe', { standing: ripe({ ripe: false }) }],
  ])('an approved one is %s', async (why, over) => {
    await approved('a', t0, over);
    expect(await next()).toEqual({ step: 'wait', why, open: 1, lookAgainAt: t0 + 7 * day });
  });

  test('a child that was approved before its container was found', async () => {
    await approved('a');
    await at.db.update(findings).set({ carrier: 'sales' });
    expect(await next()).toMatchObject({ step: 'wait', why: 'container-first' });
  });

  test('an approval that expired asks for nothing any more', async () => {
    await approved('a');
    expect(await next(t0 + 7 * day - 1)).toMatchObject({ step: 'remove' });
    expect(await next(t0 + 7 * day)).toEqual({ step: 'wait', why: 'not-approved', open: 1 });
  });

  test('until a keep ends, and then goes on by the policy', async () => {
    await policy({ mode: 'auto-remove' });
    await seedFinding(at.db, 'a', due(t0));
    await decideOne(at.ledger, 'a', 'keep', { keepUntil: t0 + day });
    expect(await next()).toEqual({ step: 'wait', why: 'nothing-due', open: 1, lookAgainAt: t0 + day });
    expect(await next(t0 + day)).toMatchObject({ step: 'remove', finding: 'a' });
  });

  test('for ever where it is kept for good', async () => {
    await policy({ mode: 'auto-remove' });
    await seedFinding(at.db, 'a', due(t0));
    await decideOne(at.ledger, 'a', 'keep');
    expect(await next(t0 + 1_000 * day)).toEqual({ step: 'wait', why: 'nothing-due', open: 1 });
  });

  test('with a container of which something is kept or rejected since', async () => {
    await approved('sales', t0, { kind: 'schema', path: 'sales', inside: 2 });
    await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
    expect(await next()).toMatchObject({ step: 'remove', finding: 'sales' });
    await decideOne(at.ledger, 'a', 'reject');
    expect(await next()).toMatchObject({ step: 'wait', why: 'blocked-inside' });
    await decideOne(at.ledger, 'a', 'keep', { keepUntil: t0 + minute });
    expect(await next()).toMatchObject({ step: 'wait', why: 'blocked-inside', lookAgainAt: t0 + minute });
    expect(await next(t0 + minute)).toMatchObject({ step: 'remove', finding: 'sales' });
  });
});

describe('next and openIntent', () => {
  const circumstances = fc.record({
    verdict: fc.constantFrom<Standing['verdict'][]>('absent', 'absent', 'absent', 'renamed', 'replaced'),
    taken: fc.boolean(),
    ripe: fc.boolean(),
    due: fc.boolean(),
    byPublished: fc.constantFrom(true, true, true, false),
    carrier: fc.constantFrom(null, null, null, 'sales'),
    blocker: fc.constantFrom(null, null, null, { path: ['sales', 'x'], why: 'kept' } satisfies Blocker),
    decision: fc.constantFrom<(DecisionAction | undefined)[]>(
      'approve',
      'approve',
      'repoint',
      'reject',
      'keep',
      undefined,
    ),
    digest: fc.constantFrom(undefined, undefined, 'other'),
    kind: fc.constantFrom<EntityKind[]>('table', 'view'),
  });

  test('agree on what may go', async () => {
    let run = 0;
    const property = fc.asyncProperty(fc.array(circumstances, { minLength: 1, maxLength: 3 }), async (cases) => {
      // a catalog for each run is much quicker than emptying the tables
      const catalog = `lake/run${(run += 1)}`;
      const round = `round of ${catalog}`;
      await seedCatalog(at.db, { key: catalog, name: `run${run}`, publishedRound: round });
      await policy({ mode: 'auto-remove', modeByKind: { view: 'report-only' } }, catalog, round);
      const ids: string[] = [];
      for (const each of cases) {
        const id = `${catalog} ${ids.length}`;
        ids.push(id);
        const standing = ripe({
          verdict: each.verdict,
          ripe: each.ripe,
          due: each.due && each.ripe && each.verdict === 'absent',
          dueAt: t0,
        });
        const movedTo = each.verdict === 'renamed' ? 'sales/new' : null;
        await seedFinding(at.db, id, { catalog, kind: each.kind, standing, taken: each.taken, movedTo });
        if (each.decision !== undefined) await decideOne(at.ledger, id, each.decision, { catalog });
        const { carrier, blocker, digest } = each;
        const movedBy = each.byPublished ? round : 'older';
        await at.db
          .update(findings)
          .set({ movedBy, carrier, blocker, ...(digest === undefined ? {} : { digest }) })
          .where(eq(findings.id, id));
      }
      const step = await at.ledger.removals.next(catalog, t0);
      const named = step.step === 'remove' || step.step === 'repoint' ? step : undefined;
      for (const action of ['repoint', 'remove'] as const) {
        if (named !== undefined && action !== named.step) continue;
        for (const finding of named === undefined ? ids : [named.finding]) {
          const id = `${action} ${finding}`;
          const input = { id, catalog, action, finding, now: t0, actBefore: t0 + minute, exclusive: false };
          const { answer } = await at.ledger.removals.openIntent(input);
          expect(answer).toBe(named === undefined ? 'barred' : 'opened');
        }
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 12 });
  }, 60_000);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, audited, ben, decideOne, hour, key, minute, seedCatalog, seedFinding, seedRound, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db, { hold: ['too-many-absent'] });
});

async function fourEyes(on: boolean, now = t0): Promise<void> {
  const policy = { ...defaultPolicy, fourEyes: on };
  const { version } = await at.ledger.catalogs.applyPolicy({
    catalog: key,
    policy,
    intervalMs: hour,
    actor: anna,
    now,
  });
  await seedRound(at.db, 'r7', key, { policyVersion: version });
}

async function approved(id: string): Promise<void> {
  await seedFinding(at.db, id);
  await decideOne(at.ledger, id, 'approve');
}

const request = () =>
  at.ledger.decisions.override({
    id: 'o1',
    catalog: key,
    actor: anna,
    reason: 'the old shop was closed',
    maxCount: 9,
    expiresAt: t0 + hour,
    now: t0,
  });
const approve = (actor = ben, now = t0 + minute, id = 'o1') =>
  at.ledger.decisions.approveOverride({ id, catalog: key, actor, now });
const next = (now = t0 + minute) => at.ledger.removals.next(key, now);
const states = async (now = t0) => (await at.ledger.decisions.overrides(key, 9, now)).map(({ state }) => state);

describe('under four eyes', () => {
  beforeEach(async () => {
    await fourEyes(true);
    await approved('a');
  });

  test('a wish admits nothing before somebody else approved it', async () => {
    expect(await request()).toEqual({ answer: 'created', id: 'o1', admits: 1, state: 'requested' });
    expect(await next()).toMatchObject({ step: 'wait', why: 'held: too-many-absent' });
    expect(await approve()).toMatchObject({
      answer: 'approved',
      override: { state: 'active', actor: anna, approved: { by: ben, at: t0 + minute } },
    });
    expect(await next()).toMatchObject({ step: 'remove', finding: 'a' });
    expect(await audited(at.ledger)).toEqual([
      'policy-applied by anna: lake/shop',
      'decision-accepted by anna: a',
      'override-requested by anna: o1',
      'override-approved by ben: o1',
    ]);
  });

  test.each(['anna', ' Anna '])('who asked for it may not approve it, as %j neither', async (name) => {
    await request();
    expect(await approve({ ...anna, name })).toEqual({ answer: 'refused', reason: 'same-person' });
    expect(await states()).toEqual(['requested']);
    expect((await audited(at.ledger)).at(-1)).toBe(`override-approval-refused by ${name}: o1`);
  });

  test('it cannot be approved after its time, or where there is none', async () => {
    await request();
    expect(await approve(ben, t0 + hour)).toEqual({ answer: 'refused', reason: 'expired' });
    expect(await states(t0 + hour)).toEqual(['expired']);
    expect(await approve(ben, t0, 'o2')).toEqual({ answer: 'refused', reason: 'no-such-override' });
    const elsewhere = { id: 'o1', catalog: 'lake/other', actor: ben, now: t0 };
    await seedCatalog(at.db, { key: 'lake/other', name: 'other' });
    expect(await at.ledger.decisions.approveOverride(elsewhere)).toMatchObject({ reason: 'no-such-override' });
  });

  test('approved again by whomever it stays as it was', async () => {
    await request();
    await approve();
    expect(await approve(anna, t0 + 2 * minute)).toMatchObject({
      override: { approved: { by: ben, at: t0 + minute } },
    });
    expect(await request()).toMatchObject({ state: 'active' });
  });
});

test('two eyes are enough where the policy does not ask for four', async () => {
  await approved('a');
  expect(await request()).toMatchObject({ state: 'active' });
  expect(await next()).toMatchObject({ step: 'remove' });
  expect(await approve()).toMatchObject({ answer: 'approved', override: { state: 'active' } });
  expect((await at.ledger.decisions.overrides(key, 9, t0))[0]).not.toHaveProperty('approved');
});

test('what one person gave waits for another as soon as the policy asks for four', async () => {
  await approved('a');
  await request();
  await fourEyes(true, t0 + 1);
  expect(await states()).toEqual(['requested']);
  await approve();
  await fourEyes(false, t0 + minute);
  await fourEyes(true, t0 + 2 * minute);
  expect(await states()).toEqual(['active']);
});

test('one of which nothing is left says so', async () => {
  await approved('a');
  await at.ledger.decisions.override({
    id: 'o1',
    catalog: key,
    actor: anna,
    reason: 'x',
    maxCount: 1,
    expiresAt: t0 + hour,
    now: t0,
  });
  const id = 'i1';
  const intent = {
    id,
    catalog: key,
    action: 'remove',
    finding: 'a',
    now: t0,
    actBefore: t0 + 1,
    exclusive: false,
  } as const;
  expect(await at.ledger.removals.openIntent(intent)).toMatchObject({ answer: 'opened' });
  expect(await states()).toEqual(['used-up']);
});

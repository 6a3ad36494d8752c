import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  day,
  decideOne,
  hour,
  key,
  minute,
  ripe,
  seedCatalog,
  seedFinding,
  seedRemoval,
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
  await seedCatalog(at.db, { publishedAt: t0 - hour });
});

async function policy(over: Partial<Policy>): Promise<void> {
  const wanted = { catalog: key, policy: { ...defaultPolicy, ...over }, intervalMs: hour, actor: anna, now: t0 };
  const { version: policyVersion } = await at.ledger.catalogs.applyPolicy(wanted);
  await seedRound(at.db, 'r7', key, { policyVersion });
}

async function approved(id: string, inside = 0, now = t0): Promise<void> {
  await seedFinding(at.db, id, { inside, ...(inside > 0 ? { kind: 'schema', path: id } : {}) });
  await decideOne(at.ledger, id, 'approve', { now });
}

const next = (now = t0) => at.ledger.removals.next(key, now);
const open = (finding: string, now = t0) =>
  at.ledger.removals.openIntent({
    id: `i ${finding}`,
    action: 'remove',
    catalog: key,
    finding,
    now,
    actBefore: now + minute,
    exclusive: false,
  });

describe('what went', () => {
  test('is counted by registrations, since the published round and within a day', async () => {
    await seedRemoval(at.db, 'now', { entities: 3 });
    await seedRemoval(at.db, 'since the round', { at: t0 - hour });
    await seedRemoval(at.db, 'before the round', { at: t0 - hour - 1, entities: 5 });
    await seedRemoval(at.db, 'a day ago, nearly', { at: t0 - day + 1, entities: 7 });
    await seedRemoval(at.db, 'a day ago', { at: t0 - day, entities: 100 });
    expect(await at.ledger.removals.removed(key, t0)).toEqual({ inRound: 4, inDay: 16 });
  });

  test('is nothing that stayed, was re-pointed, or went elsewhere', async () => {
    await seedRemoval(at.db, 'gone already', { outcome: 'already-gone' });
    await seedRemoval(at.db, 'there again', { outcome: 'present', entities: 0 });
    await seedRemoval(at.db, 'lives on', { action: 'repoint' });
    await seedRemoval(at.db, 'another', { catalog: 'lake/other' });
    expect(await at.ledger.removals.removed(key, t0)).toEqual({ inRound: 0, inDay: 0 });
    expect(await at.ledger.removals.removed('lake/nobody', t0)).toEqual({ inRound: 0, inDay: 0 });
  });

  test('counts for a round however long ago that was', async () => {
    await seedCatalog(at.db, { publishedAt: t0 - 9 * day });
    await seedRemoval(at.db, 'a', { at: t0 - 8 * day });
    expect(await at.ledger.removals.removed(key, t0)).toEqual({ inRound: 1, inDay: 0 });
  });
});

describe('the limit of a round', () => {
  test('lets its last go and bars the next, under the lock too, until another round', async () => {
    await policy({ removalsPerRound: 2 });
    await approved('a');
    await seedRemoval(at.db, 'x', { at: t0 - minute });
    expect(await next()).toMatchObject({ step: 'remove', finding: 'a' });
    await seedRemoval(at.db, 'y', { at: t0 - minute });
    expect(await next()).toEqual({ step: 'wait', why: 'round-limit', open: 1, lookAgainAt: t0 + 7 * day });
    expect(await open('a')).toEqual({ answer: 'barred', bar: 'round-limit' });
    await seedCatalog(at.db, { publishedAt: t0 });
    await policy({ removalsPerRound: 2 });
    expect(await open('a')).toMatchObject({ answer: 'opened' });
  });

  test('holds for what is due by itself', async () => {
    await policy({ mode: 'auto-remove', removalsPerRound: 1 });
    await seedFinding(at.db, 'a', { standing: ripe({ due: true, dueAt: t0, waits: [] }) });
    await seedRemoval(at.db, 'x');
    expect(await next()).toEqual({ step: 'wait', why: 'round-limit', open: 1 });
    expect(await open('a')).toEqual({ answer: 'barred', bar: 'round-limit' });
  });

  test('is filled with what fits, and the container that does not fit waits', async () => {
    await policy({ removalsPerRound: 5 });
    await approved('crm', 4, t0);
    await approved('a', 0, t0 + 1);
    await seedRemoval(at.db, 'x');
    expect(await next(t0 + 1)).toMatchObject({ step: 'remove', finding: 'a' });
    expect(await open('crm', t0 + 1)).toEqual({ answer: 'barred', bar: 'round-limit' });
  });

  test('never takes a container that is larger than it, and keeps nothing else waiting for it', async () => {
    await policy({ removalsPerRound: 3 });
    await approved('crm', 3);
    expect(await next()).toMatchObject({ step: 'wait', why: 'round-limit' });
    await approved('a', 0, t0 + 1);
    expect(await next(t0 + 1)).toMatchObject({ step: 'remove', finding: 'a' });
  });
});

describe('the limit of a day', () => {
  test('says when the next may go: as soon as enough of the others are a day ago', async () => {
    await policy({ removalsPerDay: 4 });
    await approved('crm', 1);
    await seedRemoval(at.db, 'x', { at: t0 - 5 * hour });
    await seedRemoval(at.db, 'y', { at: t0 - 4 * hour, entities: 2 });
    await seedRemoval(at.db, 'z', { at: t0 - 3 * hour });
    const then = t0 - 4 * hour + day;
    expect(await next()).toEqual({ step: 'wait', why: 'day-limit', open: 1, lookAgainAt: then });
    expect(await open('crm')).toEqual({ answer: 'barred', bar: 'day-limit' });
    expect(await next(then - 1)).toMatchObject({ step: 'wait', why: 'day-limit', lookAgainAt: then });
    expect(await next(then)).toMatchObject({ step: 'remove', finding: 'crm' });
  });

  test('gives no time to a container that is larger than it', async () => {
    await policy({ removalsPerDay: 2 });
    await approved('crm', 2);
    await seedRemoval(at.db, 'x');
    expect(await next()).toEqual({ step: 'wait', why: 'day-limit', open: 1, lookAgainAt: t0 + 7 * day });
  });

  test('is no reason to look again before an approval that expires sooner', async () => {
    await policy({ removalsPerDay: 1, approvalTtlMs: hour });
    await approved('a');
    await seedRemoval(at.db, 'x');
    expect(await next()).toMatchObject({ why: 'day-limit', lookAgainAt: t0 + hour });
  });
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decisions, findings, identities, snapshot, verdicts } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  anna,
  audited,
  ben,
  day,
  decideOne,
  decisionsNow,
  digestOf,
  historyOf,
  key,
  minute,
  ripe,
  seedCatalog,
  seedFinding,
  seedIntent,
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

describe('a decision is refused', () => {
  test('of a finding that is not there', async () => {
    await expect(decideOne(at.ledger, 'nobody', 'approve')).resolves.toMatchObject({ reason: 'no-such-finding' });
  });

  test('of a finding of another catalog', async () => {
    await seedFinding(at.db, 'a', { catalog: 'lake/other' });
    await expect(decideOne(at.ledger, 'a', 'approve')).resolves.toMatchObject({ reason: 'no-such-finding' });
  });

  test('that waited past its time', async () => {
    await seedFinding(at.db, 'a');
    await expect(decideOne(at.ledger, 'a', 'approve', { notAfter: t0 - 1 })).resolves.toMatchObject({
      reason: 'too-late',
    });
  });

  test('B88 of a closed finding', async () => {
    await seedFinding(at.db, 'a', { state: 'closed', closedWhy: 'present' });
    await expect(decideOne(at.ledger, 'a', 'approve')).resolves.toMatchObject({ reason: 'closed' });
  });

  test('B89 on other evidence than the finding has now', async () => {
    await seedFinding(at.db, 'a');
    await expect(decideOne(at.ledger, 'a', 'approve', { digest: 'as it was' })).resolves.toMatchObject({
      reason: 'changed',
    });
  });

  test('while its removal runs', async () => {
    const a = await seedFinding(at.db, 'a');
    await seedIntent(at.db, 'i1', a);
    await expect(decideOne(at.ledger, 'a', 'keep')).resolves.toMatchObject({ reason: 'removal-running' });
  });

  test('while the removal of its container runs', async () => {
    const schema = await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 1 });
    await seedFinding(at.db, 'a', { path: 'sales/a', carrier: 'sales' });
    await seedFinding(at.db, 'b', { path: 'sales2/b' });
    await seedIntent(at.db, 'i1', schema);
    await expect(decideOne(at.ledger, 'a', 'reject')).resolves.toMatchObject({ reason: 'removal-running' });
    await expect(decideOne(at.ledger, 'b', 'reject')).resolves.toMatchObject({ answer: 'accepted' });
  });

  test('to keep until a time that is over', async () => {
    await seedFinding(at.db, 'a');
    await expect(decideOne(at.ledger, 'a', 'keep', { keepUntil: t0 })).resolves.toMatchObject({
      reason: 'keep-in-the-past',
    });
  });

  test('to accept what was not replaced', async () => {
    await seedFinding(at.db, 'a');
    await expect(decideOne(at.ledger, 'a', 'accept')).resolves.toMatchObject({ reason: 'nothing-to-accept' });
  });

  test('to approve what its container carries, not to keep or reject it', async () => {
    await seedFinding(at.db, 'a', { carrier: 'sales' });
    const answer = await decideOne(at.ledger, 'a', 'approve');
    expect(answer).toMatchObject({ reason: 'approve-container' });
    expect(answer).toHaveProperty('hint', expect.stringContaining('Approve sales'));
    await expect(decideOne(at.ledger, 'a', 'reject')).resolves.toMatchObject({ answer: 'accepted' });
    await expect(decideOne(at.ledger, 'a', 'keep')).resolves.toMatchObject({ answer: 'accepted' });
  });

  test.each([
    ['renamed', false, 'renamed'],
    ['renamed', true, undefined],
    ['replaced', false, 'replaced'],
    ['copied', false, 'copied'],
  ] as const)('to approve a %s object (its new name taken: %s): %s', async (verdict, taken, reason) => {
    await seedFinding(at.db, 'a', { standing: ripe({ verdict }), taken, movedTo: 'sales/b' });
    const answer = await decideOne(at.ledger, 'a', 'approve');
    expect(answer.answer === 'refused' ? answer.reason : undefined).toBe(reason);
  });

  test('and the refusal is audited, with whom, what and why, and stored nowhere else', async () => {
    await seedFinding(at.db, 'a', { state: 'closed' });
    await decideOne(at.ledger, 'a', 'approve', { actor: ben, reason: 'spring cleaning' });
    const entries = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(entries).toMatchObject([
      {
        at: t0,
        actor: ben,
        action: 'decision-refused',
        subject: 'a',
        detail: { action: 'approve', digest: digestOf('a'), reason: 'spring cleaning', refusal: 'closed' },
      },
    ]);
    expect(await decisionsNow(at.db)).toEqual([]);
    expect(await historyOf(at.ledger, 'a')).toEqual([]);
  });
});

describe('an accepted decision', () => {
  test('is stored with its actor and evidence, audited, and part of the finding’s history', async () => {
    await seedFinding(at.db, 'a');
    const answer = await decideOne(at.ledger, 'a', 'approve', { actor: ben, reason: 'gone since May' });
    expect(answer).toMatchObject({ findingId: 'a', answer: 'accepted', repeated: false });
    const [record] = await at.ledger.decisions.decisions(key, { finding: 'a', limit: 10 }, t0);
    expect(record).toMatchObject({ action: 'approve', actor: ben, reason: 'gone since May', state: 'active' });
    expect(await audited(at.ledger)).toEqual(['decision-accepted by ben: a']);
    expect(await historyOf(at.ledger, 'a')).toEqual(['decided']);
  });

  test('B86 is kept although nothing may be removed yet', async () => {
    await seedCatalog(at.db, { state: 'unreachable' });
    await seedFinding(at.db, 'a', { standing: ripe({ ripe: false, misses: 1 }) });
    await expect(decideOne(at.ledger, 'a', 'approve')).resolves.toMatchObject({ answer: 'accepted' });
    expect(await decisionsNow(at.db)).toEqual(['approve active']);
  });

  test('an approval expires as the policy in force says', async () => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    const seen = async (now: number) => (await at.ledger.decisions.decisions(key, { limit: 1 }, now))[0];
    expect(await seen(t0)).toMatchObject({ expiresAt: t0 + 7 * day, state: 'active' });
    expect(await seen(t0 + 7 * day)).toMatchObject({ state: 'expired' });
  });

  test.each([
    ['approve', 'reject'],
    ['approve', 'keep'],
    ['keep', 'approve'],
    ['reject', 'approve'],
    ['approve', 'approve'],
  ] as const)('an earlier %s gives way to a later %s', async (first, second) => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', first);
    await decideOne(at.ledger, 'a', second, { now: t0 + 1 });
    expect(await decisionsNow(at.db)).toEqual([`${first} void superseded`, `${second} active`]);
    expect(await historyOf(at.ledger, 'a')).toEqual(['decided', 'decision-void', 'decided']);
  });

  test('takes back a keep that an earlier finding of the same registration left', async () => {
    await seedFinding(at.db, 'a', { entity: 'e' });
    await decideOne(at.ledger, 'a', 'keep');
    await at.db.update(findings).set({ state: 'closed', closedWhy: 'present' }).where(eq(findings.id, 'a'));
    await seedFinding(at.db, 'b', { entity: 'e' });
    await decideOne(at.ledger, 'b', 'approve', { now: t0 + 1 });
    expect(await decisionsNow(at.db)).toEqual(['keep void superseded', 'approve active']);
  });

  test('leaves decisions on other registrations alone', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decideOne(at.ledger, 'a', 'approve');
    await decideOne(at.ledger, 'b', 'reject', { now: t0 + 1 });
    expect(await decisionsNow(at.db)).toEqual(['approve active', 'reject active']);
  });
});

describe('the same key', () => {
  test('decides once and answers as the first time, whatever has happened since', async () => {
    await seedFinding(at.db, 'a');
    const first = await decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' });
    await at.db.update(findings).set({ digest: 'other', state: 'closed' }).where(eq(findings.id, 'a'));
    const again = await decideOne(at.ledger, 'a', 'approve', { requestKey: 'k', now: t0 + day, notAfter: t0 });
    expect(again).toEqual({ ...first, repeated: true });
    expect(await decisionsNow(at.db)).toEqual(['approve active']);
    expect(await audited(at.ledger)).toEqual(['decision-accepted by anna: a']);
  });

  test('does not bring back a decision that a later one replaced', async () => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' });
    await decideOne(at.ledger, 'a', 'reject', { requestKey: 'l', now: t0 + 1 });
    await decideOne(at.ledger, 'a', 'approve', { requestKey: 'k', now: t0 + 2 });
    expect(await decisionsNow(at.db)).toEqual(['approve void superseded', 'reject active']);
  });

  test('judges a refusal anew', async () => {
    await seedFinding(at.db, 'a', { carrier: 'sales' });
    await expect(decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' })).resolves.toMatchObject({
      answer: 'refused',
    });
    await at.db.update(findings).set({ carrier: null }).where(eq(findings.id, 'a'));
    await expect(decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' })).resolves.toMatchObject({
      answer: 'accepted',
      repeated: false,
    });
  });

  test('cannot pass one decision off as another', async () => {
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve', { requestKey: 'k' });
    const answer = await decideOne(at.ledger, 'a', 'keep', { requestKey: 'k' });
    expect(answer).toMatchObject({ answer: 'refused', hint: expect.stringContaining('new key') });
    expect(await decisionsNow(at.db)).toEqual(['approve active']);
  });
});

test('items are answered one by one, in their order', async () => {
  await seedFinding(at.db, 'a');
  await seedFinding(at.db, 'c', { state: 'closed' });
  const answers = await at.ledger.decisions.decide({
    catalog: key,
    items: ['a', 'b', 'c'].map((id) => ({ findingId: id, digest: digestOf(id), action: 'approve' as const })),
    actor: anna,
    requestKey: 'k',
    canRepoint: true,
    now: t0,
    notAfter: t0 + minute,
  });
  expect(answers).toMatchObject([
    { findingId: 'a', answer: 'accepted' },
    { findingId: 'b', answer: 'refused', reason: 'no-such-finding' },
    { findingId: 'c', answer: 'refused', reason: 'closed' },
  ]);
});

describe('accepting a replacement', () => {
  async function replaced() {
    await seedFinding(at.db, 'a', { standing: ripe({ verdict: 'replaced' }), uid: '77', path: 'sales/a' });
    await at.db.insert(snapshot).values({
      round: 'r7',
      row: 3,
      entity: 'entity of a',
      kind: 'table',
      path: 'sales/a',
      version: '1',
      createdAt: t0,
      mark: 'probe',
    });
    await at.db.insert(verdicts).values({
      round: 'r7',
      row: 3,
      path: 'sales/a',
      verdict: 'replaced',
      code: 'found',
      found: 'partitioned-table',
      uid: '77',
      evidence: 'seen',
      fresh: true,
      probedAt: t0,
    });
  }

  test('remembers the new object and closes the finding', async () => {
    await replaced();
    await at.db.insert(identities).values({
      catalog: key,
      entity: 'entity of a',
      uid: '12',
      found: 'table',
      fingerprint: 'f1',
    });
    await expect(decideOne(at.ledger, 'a', 'accept')).resolves.toMatchObject({ answer: 'accepted' });
    expect(await at.db.select().from(identities)).toEqual([
      { catalog: key, entity: 'entity of a', uid: '77', found: 'partitioned-table', fingerprint: 'f1' },
    ]);
    expect(await at.ledger.findings.finding('a', t0)).toMatchObject({ state: 'closed', closedWhy: 'accepted' });
    expect(await decisionsNow(at.db)).toEqual(['accept consumed accepted']);
    expect(await historyOf(at.ledger, 'a')).toEqual(['decided', 'closed']);
  });

  test('remembers nothing where no fingerprint is known', async () => {
    await seedCatalog(at.db, { fingerprint: null });
    await replaced();
    await decideOne(at.ledger, 'a', 'accept');
    expect(await at.db.select().from(identities)).toEqual([]);
    expect(await at.ledger.findings.finding('a', t0)).toMatchObject({ state: 'closed' });
  });
});

test('decisions are listed newest first, of one finding or of the catalog', async () => {
  await seedFinding(at.db, 'a');
  await seedFinding(at.db, 'b');
  await decideOne(at.ledger, 'a', 'approve');
  await decideOne(at.ledger, 'b', 'reject', { now: t0 + 1 });
  const all = await at.ledger.decisions.decisions(key, { limit: 10 }, t0);
  expect(all.map(({ finding }) => finding)).toEqual(['b', 'a']);
  const [one] = await at.ledger.decisions.decisions(key, { finding: 'a', limit: 10 }, t0);
  expect(one).toMatchObject({ finding: 'a' });
  expect(await at.ledger.decisions.decisions('lake/other', { limit: 10 }, t0)).toEqual([]);
});

test('a decision with an odd name in it is stored as it came', async () => {
  await seedFinding(at.db, 'a', { path: 'sales/50%25off%00' });
  await decideOne(at.ledger, 'a', 'approve', { actor: { ...anna, name: 'an\u0000na' } });
  const [row] = await at.db.select().from(decisions);
  expect(row?.actor.name).toBe('an\u0000na');
});

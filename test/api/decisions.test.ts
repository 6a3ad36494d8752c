import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day, digestOf, minute, ripe, seedCatalog, seedFinding, seedIntent } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  if (house !== undefined) await house.close();
  house = await openHouse(at);
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const url = `${shopAddress}/decisions`;
const decide = (payload: object, headers = {}) => house.app.inject({ method: 'POST', url, payload, headers });
const item = (findingId: string, action = 'approve', more = {}) => ({
  findingId,
  digest: digestOf(findingId),
  action,
  ...more,
});

describe('decisions in bulk', () => {
  test('each item is answered for itself, refusals with what to do instead', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await seedFinding(at.db, name);
    const moved = await seedFinding(at.db, 'moved', { standing: ripe({ verdict: 'replaced' }) });
    await seedIntent(at.db, 'i1', { ...moved, id: 'd', path: 'sales/d' });
    const answer = await decide({
      items: [
        item('a'),
        item('b', 'keep', { keepUntil: t0 + day }),
        { ...item('c'), digest: 'another' },
        item('d', 'reject'),
        item('moved'),
        item('nobody'),
      ],
      reason: 'dropped on purpose',
    });
    expect(answer.statusCode).toBe(200);
    const { answers, requestKey } = answer.json();
    expect(answers).toEqual([
      { findingId: 'a', answer: 'accepted', decisionId: expect.any(String), repeated: false },
      { findingId: 'b', answer: 'accepted', decisionId: expect.any(String), repeated: false },
      { findingId: 'c', answer: 'refused', reason: 'changed', hint: expect.any(String) },
      { findingId: 'd', answer: 'refused', reason: 'removal-running', hint: expect.any(String) },
      { findingId: 'moved', answer: 'refused', reason: 'replaced', hint: expect.stringContaining('Accept it') },
      { findingId: 'nobody', answer: 'refused', reason: 'no-such-finding', hint: expect.any(String) },
    ]);
    expect(answer.headers['idempotency-key']).toBe(requestKey);
  });

  test('who decided, how and why is on record, newest first', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await decide({ items: [item('a')], reason: 'old' }, { 'x-actor': 'anna', 'x-actor-via': 'cli' });
    house.now += minute;
    await decide({ items: [item('b', 'keep', { keepUntil: t0 + day })] });
    const list = async (query = '') => (await house.app.inject({ url: `${url}${query}` })).json().decisions;
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        finding: 'b',
        action: 'keep',
        actor: { name: 'os-user', verified: false, via: 'api' },
        at: t0 + minute,
        digest: digestOf('b'),
        keepUntil: t0 + day,
        state: 'active',
      },
      expect.objectContaining({
        finding: 'a',
        action: 'approve',
        actor: { name: 'anna', verified: false, via: 'cli' },
        reason: 'old',
        at: t0,
      }),
    ]);
    expect(await list('?finding=a')).toHaveLength(1);
    expect(await list('?limit=1')).toMatchObject([{ finding: 'b' }]);
  });

  test('the same key decides once, and says so', async () => {
    await seedFinding(at.db, 'a');
    const headers = { 'idempotency-key': 'key-1' };
    const first = await decide({ items: [item('a')] }, headers);
    const second = await decide({ items: [item('a')] }, headers);
    expect(first.json()).toMatchObject({ requestKey: 'key-1', answers: [{ repeated: false }] });
    expect(second.json()).toEqual(first.json());
    // the ledger knows longer than an answer is kept
    house.now += day + minute;
    const third = await decide({ items: [item('a')] }, headers);
    house.now -= day + minute;
    expect(third.json()).toMatchObject({
      answers: [{ repeated: true, decisionId: first.json().answers[0].decisionId }],
    });
  });

  test('without a key each request has one of its own', async () => {
    await seedFinding(at.db, 'a');
    await decide({ items: [item('a')] });
    await decide({ items: [item('a', 'reject')] });
    const [first, second] = house.gateway.decided;
    expect(first?.requestKey).not.toBe(second?.requestKey);
  });

  test('a request is meant for a bounded time, so that none is carried out unexpectedly late', async () => {
    await seedFinding(at.db, 'a');
    await decide({ items: [item('a')] });
    const [sent] = house.gateway.decided;
    expect(sent?.notAfter).toBeGreaterThan(t0 + minute);
    expect(sent?.notAfter).toBeLessThanOrEqual(t0 + 15 * minute);
  });

  test('a thousand items are one request; one more is refused', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, n) => item(`f${n}`));
    house.gateway.slow = true; // how quickly the ledger takes them is the ledger's business
    expect((await decide({ items: items(1_000) })).statusCode).toBe(202);
    expect(house.gateway.decided[0]?.items).toHaveLength(1_000);
    expectProblem(await decide({ items: items(1_001) }), 'invalid-request', 400);
  });
});

describe('a decision on all that matches a filter', () => {
  const selection = async (query: string) =>
    (await house.app.inject({ url: `${shopAddress}/stale/selection?${query}` })).json();

  test('is about what was seen, and answers for each', async () => {
    for (const id of ['a', 'b']) await seedFinding(at.db, id);
    await seedFinding(at.db, 'c', { path: 'crm/c' });
    const { count, digest } = await selection('action=approve&under=sales');
    expect(count).toBe(2);
    const filter = { under: 'sales' };
    const answer = await decide({ filter, action: 'approve', count, digest, reason: 'x' }, { 'idempotency-key': 'k' });
    expect(answer.json()).toMatchObject({
      requestKey: 'k',
      answers: [
        { findingId: 'a', answer: 'accepted', repeated: false },
        { findingId: 'b', answer: 'accepted', repeated: false },
      ],
    });
    expect(house.gateway.decided.map(({ requestKey }) => requestKey)).toEqual(['k/0']);
    expect(await selection('action=approve')).toMatchObject({ count: 1 });
  });

  test('decides nothing once one came, went or changed', async () => {
    await seedFinding(at.db, 'a');
    const seen = await selection('action=approve');
    await seedFinding(at.db, 'b');
    const problem = expectProblem(await decide({ filter: {}, action: 'approve', ...seen }), 'selection-changed', 409);
    expect(problem['detail']).toContain('1 were seen, and 2 match now');
    const wrong = { ...(await selection('action=approve')), digest: seen.digest };
    expectProblem(await decide({ filter: {}, action: 'approve', ...wrong }), 'selection-changed', 409);
    expect(house.gateway.decided).toEqual([]);
  });

  test('of more than one request decides is refused with the way out', async () => {
    const row = await seedFinding(at.db, 'a');
    await at.db.execute(sql`
      insert into findings select copy.* from findings f, generate_series(1, 10000) i, jsonb_populate_record(f,
        jsonb_build_object('id', 'f' || i, 'entity', 'e' || i, 'path', 'sales/f' || i)) copy
      where f.id = ${row.id}`);
    const seen = await selection('action=reject');
    expect(seen.count).toBe(10_001);
    expectProblem(await decide({ filter: {}, action: 'reject', ...seen }), 'selection-too-large', 409);
    expect(house.gateway.decided).toEqual([]);
  });

  test('says which items were sent and not answered in time', async () => {
    await seedFinding(at.db, 'a');
    house.gateway.slow = true;
    const seen = await selection('action=keep');
    const answer = await decide({ filter: {}, action: 'keep', keepUntil: t0 + 1, ...seen });
    expect([answer.statusCode, answer.json().answers]).toEqual([200, [{ findingId: 'a', answer: 'sent' }]]);
  });

  test('is refused whole where Temporal is away and nothing was sent', async () => {
    await seedFinding(at.db, 'a');
    const seen = await selection('action=approve');
    house.gateway.away = true;
    expectProblem(await decide({ filter: {}, action: 'approve', ...seen }), 'temporal-unavailable', 503);
  });

  test.each([
    ['no digest', { filter: {}, action: 'approve', count: 1 }, ['body.digest']],
    ['another filter', { filter: { color: 'red' }, action: 'approve', count: 1, digest: 'd' }, ['body.filter.color']],
    ['a bad path', { filter: { under: '%' }, action: 'approve', count: 1, digest: 'd' }, ['body.filter.under']],
    [
      'an end for an approval',
      { filter: {}, action: 'approve', count: 1, digest: 'd', keepUntil: 5 },
      ['body.keepUntil'],
    ],
    ['items as well', { filter: {}, action: 'approve', count: 1, digest: 'd', items: [] }, ['body.items']],
  ])('with %s is refused', async (_what, payload, fields) => {
    const { errors } = expectProblem(await decide(payload), 'invalid-request', 400) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(fields);
  });
});

describe('B86 an early decision is never lost', () => {
  test('sent without an answer in time is 202 with the id to ask for, not an error', async () => {
    house.gateway.slow = true;
    const answer = await decide({ items: [item('a')] }, { 'idempotency-key': 'k' });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ requestKey: 'k', updateId: 'k', decisions: url });
    expect(answer.headers.location).toBe(url);
  });

  test('a finding that no round has published yet is refused with a reason', async () => {
    const { answers } = (await decide({ items: [item('not-yet')] })).json();
    expect(answers).toMatchObject([{ answer: 'refused', reason: 'no-such-finding' }]);
  });

  test('while Temporal is away nothing was sent, and decisions on record can still be read', async () => {
    house.gateway.away = true;
    const answer = await decide({ items: [item('a')] });
    expectProblem(answer, 'temporal-unavailable', 503);
    expect(answer.headers['retry-after']).toBe('7');
    expect((await house.app.inject({ url })).statusCode).toBe(200);
  });
});

describe('a decision that cannot be meant is refused before anything is sent', () => {
  const good = item('a');
  test.each<[string, object, string]>([
    ['no items', { items: [] }, 'body.items'],
    ['no list', { items: good }, 'body.items'],
    ['nothing', {}, 'body.items'],
    ['an unknown action', { items: [{ ...good, action: 'delete' }] }, 'body.items[0].action'],
    ['no digest', { items: [{ findingId: 'a', action: 'approve' }] }, 'body.items[0].digest'],
    ['an unknown member', { items: [{ ...good, force: true }] }, 'body.items[0].force'],
    ['a keep until for an approval', { items: [{ ...good, keepUntil: t0 }] }, 'body.items[0].keepUntil'],
    ['a date as a text', { items: [item('a', 'keep', { keepUntil: '2027-01-01' })] }, 'body.items[0].keepUntil'],
    [
      'a time beyond every date',
      { items: [item('a', 'keep', { keepUntil: 253_402_300_800_000 })] },
      'body.items[0].keepUntil',
    ],
    ['an id with a NUL', { items: [{ ...good, findingId: 'a\u0000' }] }, 'body.items[0].findingId'],
    ['half a character', { items: [good], reason: '\ud800' }, 'body.reason'],
    ['an empty reason', { items: [good], reason: '  ' }, 'body.reason'],
    ['a very long reason', { items: [good], reason: 'x'.repeat(2_001) }, 'body.reason'],
  ])('%s', async (_what, payload, field) => {
    const { errors } = expectProblem(await decide(payload), 'invalid-request', 400) as { errors: { field: string }[] };
    expect(errors.map((error) => error.field)).toEqual([field]);
    expect(house.gateway.decided).toEqual([]);
  });

  test('the same finding twice', async () => {
    const answer = await decide({ items: [good, item('b'), item('a', 'reject')] });
    expect(expectProblem(answer, 'decided-twice', 409)['detail']).toContain('Finding a is named twice');
    expect(house.gateway.decided).toEqual([]);
  });

  test.each(['', 'a key', 'x'.repeat(201), 'naïve'])('a key like "%s"', async (key) => {
    const answer = await decide({ items: [good] }, { 'idempotency-key': key });
    expect(expectProblem(answer, 'invalid-request', 400).errors).toMatchObject([{ field: 'header.idempotency-key' }]);
  });

  test('a catalog that nobody knows', async () => {
    const address = url.replace('shop', 'nothing');
    const payload = { items: [good] };
    expectProblem(await house.app.inject({ method: 'POST', url: address, payload }), 'no-such-catalog', 404);
    expectProblem(await house.app.inject({ url: address }), 'no-such-catalog', 404);
  });
});

test('the ledger holds what the API answered', async () => {
  await seedFinding(at.db, 'a');
  const { answers } = (await decide({ items: [item('a')] })).json();
  const [decision] = await at.ledger.decisions.decisions(key, { limit: 10 }, t0);
  expect(decision?.id).toBe(answers[0].decisionId);
});

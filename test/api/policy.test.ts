import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { anna, decideOne, decisionsNow, hour, seedCatalog, seedFinding } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  house.gateway.woken.length = 0;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const url = `${shopAddress}/policy`;
const read = () => house.app.inject({ url });
const change = (version: number | string, of: object, reason = 'because', headers = {}) =>
  house.app.inject({
    method: 'PATCH',
    url,
    headers: { 'if-match': `"${version}"`, 'x-actor': 'anna', ...headers },
    payload: { change: of, reason },
  });

/** What `schedules apply` does with a configuration that says something. */
const apply = (over: Partial<Policy> = {}, intervalMs = hour) =>
  at.ledger.catalogs.applyPolicy({
    catalog: key,
    policy: { ...defaultPolicy, removalBurst: 2, ...over },
    intervalMs,
    actor: anna,
    now: t0,
  });

describe('the policy in force', () => {
  test('is the default before any was applied', async () => {
    const answer = await read();
    expect(answer.headers['etag']).toBe('"0"');
    expect(answer.json()).toMatchObject({ version: 0, source: 'default', policy: { mode: 'report-only' } });
  });

  test('is changed by a person, with a reason, and members that are not named stay', async () => {
    await apply({ misses: 4 });
    const answer = await change(1, { graceMs: hour, guard: { minCount: 3 } }, 'a quiet week');
    expect([answer.statusCode, answer.headers['etag']]).toEqual([200, '"2"']);
    expect(answer.json()).toMatchObject({
      version: 2,
      source: 'api',
      woken: true,
      policy: { misses: 4, graceMs: hour, guard: { ...defaultPolicy.guard, minCount: 3 } },
    });
    expect((await at.ledger.catalogs.policy(key)).policy).toMatchObject({ misses: 4, graceMs: hour });
    expect(house.gateway.woken).toEqual(['policy']);
    const [, entry] = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(entry).toMatchObject({
      actor: { name: 'anna' },
      action: 'policy-changed',
      detail: {
        version: 2,
        reason: 'a quiet week',
        changes: { graceMs: { from: defaultPolicy.graceMs, to: hour } },
        approvalsVoided: 0,
      },
    });
  });

  test('that nothing changes in gets no new version', async () => {
    await apply();
    expect((await change(1, { misses: defaultPolicy.misses })).json()).toMatchObject({
      version: 1,
      source: 'configuration',
    });
  });

  test('of another version than was seen is left alone', async () => {
    await apply();
    await change(1, { misses: 3 });
    expectProblem(await change(1, { misses: 9 }), 'policy-moved-on', 412);
    expect((await read()).json()).toMatchObject({ version: 2, policy: { misses: 3 } });
  });

  test('is changed once for two who saw the same version', async () => {
    await apply();
    const answers = await Promise.all([change(1, { misses: 3 }), change(1, { misses: 4 })]);
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 412]);
  });

  test('that asks for more voids approvals', async () => {
    await apply();
    await seedFinding(at.db, 'a');
    await decideOne(at.ledger, 'a', 'approve');
    await change(1, { misses: 5 });
    expect(await decisionsNow(at.db)).toEqual(['approve void policy-stricter']);
  });

  test.each<[string, Partial<Policy>, object, RegExp]>([
    ['what the configuration protects', { protect: ['public', 'finance/**'] }, { protect: ['public'] }, /finance/],
    ['what is protected everywhere', {}, { protect: [] }, /public/],
    ['four eyes', { fourEyes: true }, { fourEyes: false }, /one person/],
    ['the grace before unattended removals', {}, { mode: 'auto-remove', graceMs: 0 }, /graceMs/],
    ['its patterns to one that nobody can read', {}, { exclude: ['ok', ''] }, /exclude.*is empty/],
    ['the same for one kind', { graceMs: 0 }, { modeByKind: { table: 'auto-remove' } }, /graceMs/],
  ])('cannot lose %s', async (_what, configured, of, why) => {
    await apply({ ...configured, protect: [...defaultPolicy.protect, ...(configured.protect ?? [])] });
    const problem = expectProblem(await change(1, of), 'unsafe-policy', 409);
    expect(problem['detail']).toMatch(why);
    expect((await read()).json().version).toBe(1);
  });

  test('cannot lose four eyes that a person asked for', async () => {
    await apply();
    await change(1, { fourEyes: true });
    expectProblem(await change(2, { fourEyes: false }), 'unsafe-policy', 409);
  });

  test.each<[string, object, string]>([
    ['a guard that is off', { guard: { maxShare: 1 } }, 'body.change.guard.maxShare'],
    ['one miss', { misses: 1 }, 'body.change.misses'],
    ['no limit a day', { removalsPerDay: 0 }, 'body.change.removalsPerDay'],
    ['a shorter audit', { auditMs: 1 }, 'body.change.auditMs'],
  ])('is not changed to %s', async (_what, of, field) => {
    await apply();
    expect(expectProblem(await change(1, of), 'invalid-request', 400).errors).toMatchObject([{ field }]);
  });

  test('is not changed by who does not say what he saw, or why', async () => {
    const sent = { method: 'PATCH' as const, url, payload: { change: { misses: 3 }, reason: 'a' } };
    expectProblem(await house.app.inject(sent), 'invalid-request', 400);
    expectProblem(await change('*', { misses: 3 }), 'invalid-request', 400);
    expectProblem(await change(0, { misses: 3 }, ' '), 'invalid-request', 400);
  });

  test('is changed once under one key', async () => {
    await apply();
    const headers = { 'idempotency-key': 'k' };
    const first = await change(1, { misses: 3 }, 'a', headers);
    expect((await change(1, { misses: 3 }, 'a', headers)).json()).toEqual(first.json());
    expectProblem(await change(2, { misses: 3 }, 'a', headers), 'idempotency-key-reused', 422);
  });
});

describe('the configuration', () => {
  test('lets stand what a person changed, until it has something new to say', async () => {
    await apply({ misses: 4 });
    await change(1, { misses: 7 });
    expect(await apply({ misses: 4 })).toEqual({ version: 2, changed: false, changedOverApi: true });
    expect((await read()).json()).toMatchObject({ source: 'api', policy: { misses: 7 } });
    expect(await apply({ misses: 5 })).toEqual({ version: 3, changed: true });
    expect((await read()).json()).toMatchObject({ source: 'configuration', policy: { misses: 5 } });
    const entries = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(entries.at(-1)).toMatchObject({ action: 'policy-applied', detail: { replacedChangeOverApi: true } });
  });

  test('changes the interval of a policy that a person changed, and nothing else of it', async () => {
    await apply({ misses: 4 });
    await change(1, { misses: 7 });
    expect(await apply({ misses: 4 }, 2 * hour)).toEqual({ version: 3, changed: true, changedOverApi: true });
    expect((await read()).json()).toMatchObject({ source: 'api', intervalMs: 2 * hour, policy: { misses: 7 } });
    expect(await apply({ misses: 4 }, 2 * hour)).toMatchObject({ version: 3, changed: false });
  });

  test('that says by now what a person changed owns it again', async () => {
    await apply();
    await change(1, { misses: 7 });
    await apply({ misses: 7 });
    expect((await read()).json()).toMatchObject({ version: 3, source: 'configuration', policy: { misses: 7 } });
    expect(await apply({ misses: 7 })).toEqual({ version: 3, changed: false });
  });
});

test('every version is told, newest first, page by page, with who, when, why and what', async () => {
  await apply({ misses: 3 });
  house.now = t0 + hour;
  await change(1, { misses: 4 }, 'first');
  await change(2, { mode: 'auto-remove' }, 'second');
  house.now = t0;
  const page = (await house.app.inject({ url: `${url}/versions?limit=2` })).json();
  expect(page.versions).toMatchObject([
    { version: 3, source: 'api', reason: 'second', changes: { mode: { from: 'report-only', to: 'auto-remove' } } },
    { version: 2, at: t0 + hour, actor: { name: 'anna' }, reason: 'first', changes: { misses: { from: 3, to: 4 } } },
  ]);
  expect(Object.keys(page.versions[0].changes)).toEqual(['mode']);
  const rest = (await house.app.inject({ url: `${url}/versions?limit=2&cursor=${page.next}` })).json();
  expect(rest.versions).toMatchObject([
    { version: 1, source: 'configuration', changes: { misses: { from: defaultPolicy.misses, to: 3 } } },
  ]);
  expect(rest).not.toHaveProperty('next');
  expectProblem(await house.app.inject({ url: `${url}/versions?cursor=x` }), 'invalid-cursor', 404);
});

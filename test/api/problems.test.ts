import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GatewayUnavailable } from '../../src/api/gateway.ts';
import { classifyError } from '../../src/api/problems/classify-error.ts';
import { problemTypes } from '../../src/api/problems/problem-types.ts';
import { type FailureType, ReconcilerFailure, failureRules } from '../../src/domain/failure.ts';
import { type RefusalReason, RegistryRefusal } from '../../src/registries/embedded/refusal.ts';
import { anna, seedCatalog } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  house = await openHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

const json = { 'content-type': 'application/json' };

describe('wrong input is refused by the name of what is wrong', () => {
  test.each<[string, object | string, string[]]>([
    ['an unknown field', { dryrun: true }, ['body.dryrun']],
    ['two unknown fields', { a: 1, b: 2 }, ['body.a', 'body.b']],
    ['a word for a truth value', { dryRun: 'yes' }, ['body.dryRun']],
    ['null', { dryRun: null }, ['body.dryRun']],
    ['a list', [], ['body']],
    ['a number', '5', ['body']],
  ])('%s', async (_what, payload, fields) => {
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers: json, payload });
    const { errors } = expectProblem(answer, 'invalid-request', 400) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(fields);
    expect(house.gateway.started).toEqual([]);
  });

  test.each([
    ['cut off', '{"dryRun":tr'],
    ['poisoned', '{"__proto__":{"dryRun":true}}'],
    ['not JSON', 'dryRun=true'],
  ])('a body that is %s', async (_how, payload) => {
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers: json, payload });
    expectProblem(answer, 'malformed-body', 400);
  });

  test.each([
    ['a key twice', '{"dryRun":true,"dryRun":false}', 'has the key "dryRun" twice in one object'],
    ['a key twice, once escaped', '{"dryRun":true,"dry\\u0052un":false}', 'has the key "dryRun" twice in one object'],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, 'more than 32 levels deep'],
    ['levels without end', '[{"a":'.repeat(100_000), 'more than 32 levels deep'],
    ['null alone', 'null', 'null is no request; leave the body out, or send an object'],
  ])('a body with %s', async (_what, payload, message) => {
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers: json, payload });
    const { errors } = expectProblem(answer, 'invalid-request', 400);
    expect(errors).toEqual([{ field: 'body', message }]);
    expect(house.gateway.started).toEqual([]);
  });

  test('the same key in two objects of a body is nothing special', async () => {
    const items = ['a', 'b'].map((findingId) => ({ findingId, digest: 'x', action: 'reject' }));
    const payload = JSON.stringify({ items });
    const url = `${shopAddress}/decisions`;
    expect((await house.app.inject({ method: 'POST', url, headers: json, payload })).statusCode).toBeLessThan(300);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])('a body of %s', async (type) => {
    const headers = { 'content-type': type };
    const payload = '{}';
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers, payload });
    expectProblem(answer, 'unsupported-media-type', 415);
  });

  test('a body of more than a mebibyte', async () => {
    const payload = JSON.stringify({ reason: 'x'.repeat(1_048_576) });
    const answer = await house.app.inject({ method: 'POST', url: `${shopAddress}/pause`, headers: json, payload });
    expectProblem(answer, 'body-too-large', 413);
  });

  test.each([
    ['/nothing', 'not-found', 404],
    ['/api/nothing', 'not-found', 404],
    ['/api/metalakes/lake/catalogs/shop/reconcile', 'method-not-allowed', 405], // only POST
    ['/api/metalakes/lake/catalogs/%zz/policy', 'malformed-address', 400],
    ['/api/metalakes/lake/catalogs/%/policy', 'malformed-address', 400],
    [`/api/metalakes/lake/catalogs/${'x'.repeat(13_000)}/policy`, 'address-too-long', 414],
    [`/api/metalakes/lake/catalogs/${'x'.repeat(1_001)}/policy`, 'invalid-request', 400],
    ['/api/metalakes/lake/catalogs/a%00b/policy', 'invalid-request', 400],
    ['/api/metalakes/lake/catalogs//policy', 'invalid-request', 400],
  ])('the address %s', async (url, type, status) => {
    expectProblem(await house.app.inject({ url }), type, status);
  });
});

describe('what breaks on our side', () => {
  test('an answer that breaks its own description is a 500 and says nothing of its inside', async () => {
    await house.close();
    house = await openHouse(at, {
      ledger: (real) => ({
        ...real,
        audit: {
          ...real.audit,
          // a row that no entry can be: its id is no whole number
          page: async () => [{ id: 1.5, at: t0, actor: anna, action: 'secret-thing', subject: 's', detail: {} }],
        },
      }),
    });
    const answer = await house.app.inject({ url: '/api/audit' });
    expectProblem(answer, 'internal', 500);
    expect(answer.body).not.toContain('secret-thing');
    expect(house.logged()).toHaveLength(1);
    expect(house.logged()[0]).toMatchObject({ level: 50, request: answer.headers['x-request-id'] });
  });

  test('a line about a catalog names it, and the request', async () => {
    await house.close();
    const down = new ReconcilerFailure('LedgerUnavailable', 'ECONNREFUSED', 'connect to db.internal failed');
    house = await openHouse(at, {
      ledger: (real) => ({ ...real, findings: { ...real.findings, page: () => Promise.reject(down) } }),
    });
    const answer = await house.app.inject({ url: `${shopAddress}/stale`, headers: { 'x-request-id': 'mine-1' } });
    expect(answer.statusCode).toBe(503);
    expect(house.logged()).toMatchObject([{ level: 40, request: 'mine-1', catalog: 'lake/shop' }]);
  });

  test('a ledger that does not answer is 503, with a time to come back', async () => {
    await house.close();
    const down = new ReconcilerFailure('LedgerUnavailable', 'ECONNREFUSED', 'connect to db.internal failed');
    house = await openHouse(at, {
      ledger: (real) => ({ ...real, catalogs: { ...real.catalogs, catalog: async () => Promise.reject(down) } }),
    });
    const answer = await house.app.inject({ url: `${shopAddress}/policy` });
    expectProblem(answer, 'ledger-unavailable', 503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body).not.toContain('db.internal');
  });
});

describe('every error has one row', () => {
  const statuses: Record<FailureType, number> = {
    SourceUnreachable: 502,
    SourceUnavailable: 502,
    SourceBusy: 502,
    SourceAccessDenied: 502,
    SourceProtocolError: 502,
    ProbeUntrusted: 502,
    IncompleteBatch: 502,
    RegistryUnreachable: 502,
    RegistryAccessDenied: 502,
    RegistryProtocolError: 502,
    SnapshotIncomplete: 502,
    LedgerUnavailable: 503,
    InvalidRequest: 409,
    RoundSuperseded: 409,
    Internal: 500,
  };

  test.each(Object.keys(failureRules) as FailureType[])('failure %s', (type) => {
    const problem = classifyError(new ReconcilerFailure(type, 'code', 'what happened', { retryAfterMs: 1_500 }));
    expect(problemTypes[problem.type].status).toBe(statuses[type]);
    if (statuses[type] === 500 || statuses[type] === 503) expect(problem.parts.reason).toBeUndefined();
    else {
      expect(problem.parts.reason).toEqual({ type, code: 'code', message: 'what happened' });
      expect(problem.parts.retryAfterSeconds).toBe(2);
    }
  });

  test.each<[RefusalReason, number]>([
    ['not-found', 404],
    ['already-exists', 409],
    ['not-empty', 409],
    ['version-conflict', 409],
    ['invalid-move', 409],
    ['invalid-name', 422],
    ['misplaced-secret', 422],
    ['invalid-cursor', 404],
  ])('refusal %s of the registry', (reason, status) => {
    const problem = classifyError(new RegistryRefusal(reason, 'because'));
    expect(problemTypes[problem.type].status).toBe(status);
    expect(problem.message).toBe('because');
    expect(problem.parts.reason).toMatchObject({ code: reason });
  });

  test('Temporal away, and anything else', () => {
    expect(classifyError(new GatewayUnavailable('away', { retryAfterSeconds: 9 }))).toMatchObject({
      type: 'temporal-unavailable',
      parts: { retryAfterSeconds: 9 },
    });
    for (const odd of [new TypeError('x is not a function'), 'a text', undefined]) {
      expect(classifyError(odd)).toMatchObject({ type: 'internal' });
    }
  });

  test('and is documented where the problem points to', async () => {
    const listed = (await house.app.inject({ url: '/api/problems' })).json().problems;
    expect(listed).toHaveLength(Object.keys(problemTypes).length);
    const problem = expectProblem(await house.app.inject({ url: '/nothing' }), 'not-found', 404);
    const documented = await house.app.inject({ url: String(problem.type) });
    expect(documented.json()).toEqual({ type: problem.type, ...problemTypes['not-found'] });
    expect(listed).toContainEqual(documented.json());
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstOf } from '../../src/api/credentials/authenticator.ts';
import { signedTokens } from '../../src/api/credentials/signed-tokens.ts';
import { staticTokens } from '../../src/api/credentials/static-tokens.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress } from './api-house.ts';
import { issuerOf, keyServer, signed, signingKey } from './credentials/issuer.ts';

const token = 'a-token-0123456789';
const next = 'the-next-token-0123456789';

let at: TestLedger;
let house: ApiHouse;
let key: Awaited<ReturnType<typeof signingKey>>;
let keys: Awaited<ReturnType<typeof keyServer>>;
beforeAll(async () => {
  at = await openTestLedger();
  key = await signingKey('first');
  keys = await keyServer([key.published]);
  const principal = { name: 'ci', roles: ['operator'] as const };
  const handedOut = staticTokens([
    { principal, token },
    { principal, token: next },
  ]);
  const issued = signedTokens(issuerOf({ url: keys.url }));
  house = await openHouse(at, { authenticator: firstOf(handedOut, issued) });
});
beforeEach(() => at.reset());
afterAll(async () => {
  await house.close();
  await keys.close();
  await at.close();
});

const reconcile = (headers: Record<string, string>) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers });
const lastActor = () => house.gateway.started.at(-1)?.actor;

describe('with credentials', () => {
  test.each([token, next])('who acts is whose token it is, and verified: %s', async (each) => {
    expect((await reconcile({ authorization: `Bearer ${each}` })).statusCode).toBe(202);
    expect(lastActor()).toEqual({ name: 'ci', verified: true, via: 'api' });
  });

  test('a header that names somebody else says nothing', async () => {
    await reconcile({ authorization: `bearer ${token}`, 'x-actor': 'anna', 'x-actor-via': 'cli' });
    expect(lastActor()).toEqual({ name: 'ci', verified: true, via: 'cli' });
  });

  test('a signed token does as well', async () => {
    const url = `${shopAddress}/stale`;
    const headers = { authorization: `Bearer ${await signed(key, { roles: ['viewer'] })}` };
    expect((await house.app.inject({ url, headers })).statusCode).toBe(200);
    expectProblem(await reconcile(headers), 'forbidden', 403);
  });

  test('a request without one is not answered, and told how', async () => {
    const answer = await reconcile({});
    expectProblem(answer, 'unauthenticated', 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="catalog-reconciler"');
  });

  test.each([
    ['of nobody', 'Bearer another-token-0123456789'],
    ['that is a part of one', `Bearer ${token.slice(0, -1)}`],
    ['that is more than one', `Bearer ${token}0`],
    ['in another case', `Bearer ${token.toUpperCase()}`],
    ['of another scheme', `Basic ${Buffer.from(`ci:${token}`).toString('base64')}`],
    ['without a scheme', token],
    ['that is empty', 'Bearer '],
    ['twice', `Bearer ${token}, Bearer ${token}`],
    ['in quotes', `Bearer "${token}"`],
  ])('a token %s is refused, and not repeated', async (_what, authorization) => {
    const before = house.gateway.started.length;
    const answer = await reconcile({ authorization });
    expectProblem(answer, 'unauthenticated', 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="catalog-reconciler", error="invalid_token"');
    expect(JSON.stringify([answer.headers, answer.body, house.logged()])).not.toContain(
      authorization.slice(8, 20) || '\0',
    );
    expect(house.gateway.started).toHaveLength(before);
  });

  test('a token in the address is none', async () => {
    const answer = await house.app.inject({ url: `${shopAddress}/stale?access_token=${token}` });
    expectProblem(answer, 'unauthenticated', 401);
  });

  test.each(['/livez', '/readyz', '/api/openapi.json', '/api/problems', '/api/problems/forbidden'])(
    '%s asks for none',
    async (url) => {
      expect((await house.app.inject({ url })).statusCode).toBe(200);
    },
  );

  test('a body is not looked at before it is known who sends it', async () => {
    const answer = await house.app.inject({
      method: 'POST',
      url: `${shopAddress}/decisions`,
      headers: { 'content-type': 'application/json' },
      payload: 'x'.repeat(2_000_000),
    });
    expectProblem(answer, 'unauthenticated', 401);
  });

  test('an issuer that is ill keeps its own people out, with the time to come back, and nobody else', async () => {
    const ill = await keyServer([]);
    ill.mode = 'error';
    const authenticator = firstOf(
      staticTokens([{ principal: { name: 'ci', roles: ['viewer'] }, token }]),
      signedTokens(issuerOf({ url: ill.url })),
    );
    const other = await openHouse(at, { authenticator });
    const read = async (bearer: string) =>
      other.app.inject({ url: `${shopAddress}/stale`, headers: { authorization: `Bearer ${bearer}` } });
    const answer = await read(await signed(key));
    expectProblem(answer, 'issuer-unavailable', 503);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await read(token)).statusCode).toBe(200);
    await other.close();
    await ill.close();
  });

  test('the OpenAPI document says where a token is asked for', async () => {
    const document = (await house.app.inject({ url: '/api/openapi.json' })).json();
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document.paths['/api/problems'].get.security).toEqual([]);
    expect(document.paths['/api/overview'].get.responses['401'].description).toContain('unauthenticated');
  });
});

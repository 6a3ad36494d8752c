import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
let loopback: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
  loopback = await openHouse(at, { loopbackOnly: true });
});
beforeEach(() => at.reset());
afterAll(async () => {
  await house.close();
  await loopback.close();
  await at.close();
});

const asActor = (headers: Record<string, string>) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers });
const lastActor = () => house.gateway.started.at(-1)?.actor;

/** A text as its UTF-8 bytes look to Node, which reads headers as Latin-1. */
const asHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('who acts', () => {
  test('is the default where nobody says, and never verified', async () => {
    await asActor({});
    expect(lastActor()).toEqual({ name: 'os-user', verified: false, via: 'api' });
  });

  test.each(['anna', 'Jörg Müller', '名前', 'x'.repeat(200)])('is whom the header names: %s', async (name) => {
    await asActor({ 'x-actor': asHeader(name) });
    expect(lastActor()).toEqual({ name, verified: false, via: 'api' });
  });

  test('comes from the command line where that says so', async () => {
    await asActor({ 'x-actor': 'anna', 'x-actor-via': 'cli' });
    expect(lastActor()).toEqual({ name: 'anna', verified: false, via: 'cli' });
    await asActor({ 'x-actor-via': 'reconciler' });
    expect(lastActor()?.via).toBe('api');
  });

  test.each([
    ['too long', 'x'.repeat(201)],
    ['empty', ''],
    ['not UTF-8', '\xff'],
    ['with a control character', asHeader('a\u0085b')],
  ])('a name that is %s is refused, not replaced', async (_how, name) => {
    const before = house.gateway.started.length;
    const { errors } = expectProblem(await asActor({ 'x-actor': name }), 'invalid-request', 400);
    expect(errors).toEqual([{ field: 'header.x-actor', message: expect.any(String) }]);
    expect(house.gateway.started).toHaveLength(before);
  });
});

describe('a page of another site', () => {
  test.each([
    ['an origin of its own', { origin: 'https://elsewhere.example', host: 'localhost:8080' }],
    ['an origin that is hidden', { origin: 'null', host: 'localhost:8080' }],
    ['another port', { origin: 'http://localhost:3000', host: 'localhost:8080' }],
    ['what the browser says of it', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
  ])('changes nothing: %s', async (_how, headers) => {
    const before = house.gateway.started.length;
    expectProblem(await asActor(headers), 'foreign-origin', 403);
    expect(house.gateway.started).toHaveLength(before);
  });

  test.each([
    ['our own page', { origin: 'http://localhost:8080', host: 'localhost:8080', 'sec-fetch-site': 'same-origin' }],
    ['no browser at all', {}],
  ])('unlike %s', async (_who, headers) => {
    expect((await asActor(headers)).statusCode).toBe(202);
  });
});

describe('an API on loopback serves', () => {
  const problems = (host: string) => loopback.app.inject({ url: '/api/problems', headers: { host } });

  test.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]:8080', 'LOCALHOST:1'])(
    '%s',
    async (host) => {
      expect((await problems(host)).statusCode).toBe(200);
    },
  );

  test.each(['elsewhere.example', '127.0.0.1.elsewhere.example:8080', '10.0.0.1', 'localhost.elsewhere.example', '['])(
    'not %s',
    async (host) => {
      expectProblem(await problems(host), 'host-not-local', 421);
    },
  );
});

describe('an answer names its request', () => {
  test('by the id of whoever asked, where that is harmless', async () => {
    const asked = async (id: string) =>
      (await house.app.inject({ url: '/api/problems', headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await asked('trace-1.a:b')).toBe('trace-1.a:b');
    for (const id of ['a b', 'x'.repeat(101), '<script>', '']) expect(await asked(id)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

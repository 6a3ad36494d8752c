import type { LightMyRequestResponse } from 'fastify';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorize } from '../../src/api/plugins/authorize.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type Person, headersOf, openAccessHouse, people } from './access-house.ts';
import { type ApiHouse, expectProblem, openTestLedger, shopAddress } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openAccessHouse(at);
});
afterAll(async () => {
  await house.close();
  await at.close();
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
interface Route {
  readonly method: Method;
  readonly url: string;
}

/** Every route of the OpenAPI document, as `lake/shop` would be asked through it. */
function routes(): readonly Route[] {
  const paths = Object.entries(house.app.swagger().paths ?? {});
  return paths.flatMap(([path, operations]) => {
    const url = path
      .replace('{metalake}', 'lake')
      .replace('{catalog}', 'shop')
      .replaceAll(/\{\w+\}/g, 'x');
    return Object.keys(operations ?? {}).map((method) => ({ method: method.toUpperCase() as Method, url }));
  });
}

/** Written down apart from the routes, from the description of the product. */
function allowed({ method, url }: Route): readonly Person[] {
  const owners: readonly Person[] = url.includes('/lake/catalogs/shop')
    ? ['lena', 'olga']
    : url.includes('/lake')
      ? ['lena']
      : [];
  if (url === '/api/problems') return people;
  if (/\/(reconcile|stale-schemas)$/.test(url)) return ['operator', ...owners];
  if (method === 'GET') return ['viewer', 'approver', 'operator', ...owners];
  if (/\/(decisions|keeps|keeps\/x|removals\/x\/restore)$/.test(url)) return ['approver', 'operator', ...owners];
  return ['operator'];
}

function ask({ method, url }: Route, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  // a body that nobody describes and a version that nothing has, so that whoever is let in changes nothing
  const body = method === 'GET' ? {} : { payload: '{"nobody": "describes this"}' };
  const type: Record<string, string> =
    method === 'GET' ? {} : { 'content-type': 'application/json', 'if-match': '"none"' };
  return house.app.inject({ method, url, headers: { ...type, ...headers }, ...body });
}

const typeOf = (answer: LightMyRequestResponse): string => (answer.statusCode < 400 ? 'none' : answer.json().type);

test('every route lets in whom it should, and nobody else', { timeout: 60_000 }, async () => {
  expect(routes().length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const route of routes()) {
    for (const person of people) {
      const type = typeOf(await ask(route, headersOf(person)));
      const refused = type === '/api/problems/forbidden';
      const may = allowed(route).includes(person);
      if (refused === may || type === '/api/problems/unauthenticated')
        wrong.push(`${person} ${route.method} ${route.url}: ${type}`);
    }
    const anonymous = typeOf(await ask(route));
    const open = route.url === '/api/problems';
    if (anonymous !== (open ? 'none' : '/api/problems/unauthenticated')) {
      wrong.push(`anonymous ${route.method} ${route.url}: ${anonymous}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe('who is refused', () => {
  test('learns which role or ownership would do', async () => {
    const { detail } = expectProblem(
      await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers: headersOf('eve') }),
      'forbidden',
      403,
    );
    expect(detail).toBe('eve has not the role for this: it takes `operator`, or to own the catalog or its metalake.');
    expectProblem(
      await house.app.inject({
        method: 'POST',
        url: `${shopAddress}/pause`,
        headers: headersOf('olga'),
        payload: { reason: 'mine' },
      }),
      'forbidden',
      403,
    );
  });

  test('does not learn which catalogs there are', async () => {
    for (const catalog of ['shop', 'no-such-catalog']) {
      const answer = await house.app.inject({
        url: `/api/metalakes/lake/catalogs/${catalog}/stale`,
        headers: headersOf('nobody'),
      });
      expectProblem(answer, 'forbidden', 403);
    }
  });

  test('started nothing and decided nothing', async () => {
    const started = house.gateway.started.length;
    for (const person of ['viewer', 'approver', 'nobody', 'eve'] as const) {
      await house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers: headersOf(person) });
    }
    const items = [{ findingId: 'f', digest: 'd', action: 'approve' }];
    for (const person of ['viewer', 'nobody', 'eve'] as const) {
      const headers = headersOf(person);
      const answer = await house.app.inject({
        method: 'POST',
        url: `${shopAddress}/decisions`,
        headers,
        payload: { items },
      });
      expectProblem(answer, 'forbidden', 403);
    }
    expect(house.gateway.started).toHaveLength(started);
    expect(house.gateway.decided).toEqual([]);
  });
});

describe('an owner', () => {
  test.each<[Person, string, number]>([
    ['olga', '/api/metalakes/lake/catalogs/shop', 202],
    ['lena', '/api/metalakes/lake/catalogs/shop', 202],
    ['eve', '/api/metalakes/lake/catalogs/shop', 403],
    ['olga', '/api/metalakes/pond/catalogs/shop', 403],
    ['eve', '/api/metalakes/pond/catalogs/shop', 202],
    ['lena', '/api/metalakes/lake/catalogs/no-such-catalog', 404],
    ['olga', '/api/metalakes/lake/catalogs/SHOP', 403],
  ])('%s reconciles %s: %i', async (person, catalog, status) => {
    const answer = await house.app.inject({ method: 'POST', url: `${catalog}/reconcile`, headers: headersOf(person) });
    expect(answer.statusCode).toBe(status);
    if (status === 202) {
      expect(house.gateway.started.at(-1)?.actor).toEqual({ name: person, verified: true, via: 'api' });
    }
  });

  test('of before is none any more', async () => {
    const owner = `${shopAddress}/owner`;
    const read = () => house.app.inject({ url: `${shopAddress}/stale`, headers: headersOf('olga') });
    expect((await read()).statusCode).toBe(200);
    const set = (name: string) =>
      house.app.inject({ method: 'PUT', url: owner, headers: headersOf('operator'), payload: { owner: name } });
    expect((await set('nobody')).statusCode).toBe(200);
    expectProblem(await read(), 'forbidden', 403);
    await set('olga');
  });
});

test('a route that does not say what it does keeps the server from starting', async () => {
  const app = Fastify();
  authorize(app as never, async () => []);
  expect(() => app.get('/forgotten', async () => 'open to all')).toThrow('/forgotten does not say');
});

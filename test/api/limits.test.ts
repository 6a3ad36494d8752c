import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { TestLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { headersOf, openAccessHouse } from './access-house.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());
afterEach(() => house.close());

describe('of requests within a minute', () => {
  const url = '/api/overview';
  const open = async () => {
    house = await openAccessHouse(at, undefined, { requestsPerMinute: 3, requestsInFlight: 100 });
  };
  const ask = (headers: Record<string, string>) => house.app.inject({ url, headers });

  test('each principal has its own number, and learns how long to wait', async () => {
    await open();
    for (let n = 0; n < 3; n += 1) expect((await ask(headersOf('viewer'))).statusCode).toBe(200);
    const refused = await ask(headersOf('viewer'));
    expectProblem(refused, 'too-many-requests', 429);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await ask(headersOf('operator'))).statusCode).toBe(200);
  });

  test('tokens that prove nobody count for their address, and nobody else pays', async () => {
    await open();
    for (let n = 0; n < 3; n += 1) {
      expectProblem(await ask({ authorization: `Bearer guess-number-${n}-0123456789` }), 'unauthenticated', 401);
    }
    expectProblem(await ask({}), 'too-many-requests', 429);
    expectProblem(await ask({ authorization: 'Bearer guess-number-4-0123456789' }), 'too-many-requests', 429);
    expect((await ask(headersOf('viewer'))).statusCode).toBe(200);
  });

  test('whoever looks after the process is never refused', async () => {
    await open();
    for (let n = 0; n < 8; n += 1) {
      for (const health of ['/livez', '/readyz'])
        expect((await house.app.inject({ url: health })).statusCode).toBe(200);
    }
  });
});

describe('of requests at once', () => {
  /** A ledger that answers a list of removals when it is let. */
  async function openSlow() {
    let go: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      go = resolve;
    });
    let waiting = 0;
    const slow = (real: Ledger): Ledger => ({
      ...real,
      removals: {
        ...real.removals,
        page: async (query) => {
          waiting += 1;
          await released;
          return real.removals.page(query);
        },
      },
    });
    house = await openHouse(at, { ledger: slow, limits: { requestsPerMinute: 100_000, requestsInFlight: 2 } });
    return { go, waiting: () => waiting };
  }

  test('one more than allowed is refused, and has room again once others are answered', async () => {
    const { go, waiting } = await openSlow();
    const url = `${shopAddress}/removals`;
    const held = [house.app.inject({ url }), house.app.inject({ url })];
    await until('both wait', 5_000, () => waiting() === 2);
    const refused = await house.app.inject({ url });
    expectProblem(refused, 'too-busy', 503);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await house.app.inject({ url: '/livez' })).statusCode).toBe(200);
    go();
    for (const answer of await Promise.all(held)) expect(answer.statusCode).toBe(200);
    expect((await house.app.inject({ url })).statusCode).toBe(200);
  });

  test('who leaves before the answer makes room', async () => {
    const { go, waiting } = await openSlow();
    await house.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = house.app.server.address() as AddressInfo;
    const leaving = [1, 2].map(() => {
      const sent = request({ host: '127.0.0.1', port, path: `${shopAddress}/removals` });
      sent.on('error', () => undefined);
      sent.end();
      return sent;
    });
    await until('both wait', 5_000, () => waiting() === 2);
    for (const sent of leaving) sent.destroy();
    await until(
      'there is room',
      5_000,
      async () => (await house.app.inject({ url: '/api/overview' })).statusCode === 200,
    );
    go();
  });
});

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { absent, wholeRound } from '../ledger/rounds/scene.ts';
import type { TestLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
let port: number;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await listen();
});
afterEach(() => house.close());
afterAll(() => at.close());

async function listen(ledger?: (real: Ledger) => Ledger): Promise<void> {
  house = await openHouse(at, ledger === undefined ? {} : { ledger });
  await house.app.listen({ host: '127.0.0.1', port: 0 });
  port = (house.app.server.address() as AddressInfo).port;
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function send({ method = 'GET', path, headers = {}, body }: Asked): ClientRequest {
  return request({ host: '127.0.0.1', port, method, path, headers, agent: false }).end(body);
}

async function ask(asked: Asked) {
  const [response] = (await once(send(asked), 'response')) as [IncomingMessage];
  return { statusCode: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** What comes back for bytes that are no request, or hardly one. */
async function raw(bytes: string): Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {}); // a server that does not read everything may reset the connection after its answer
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(': ');
      return [name.toLowerCase(), value];
    }),
  );
  return { statusCode: Number(status.split(' ')[1]), headers, body };
}

describe('over the wire', () => {
  test('a scan is asked for and answered', async () => {
    await wholeRound(at.ledger, 'r1', [{ path: 'gone', verdict: absent() }]);
    house.gateway.result = { end: 'scanned' };
    const { statusCode, headers, body } = await ask({ path: `${shopAddress}/stale-schemas` });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toMatchObject({ catalog: 'shop', staleSchemas: [{ name: 'gone' }] });
  });

  test.each(['50%off', 'a%2Fb', 'a b', 'x+y', '.', '..', 'a/b', 'Größe'])('B35 a catalog called %s', async (name) => {
    house.lake.names.add(name);
    const path = `/api/metalakes/lake/catalogs/${encodeURIComponent(name)}/reconcile`;
    const { statusCode } = await ask({ method: 'POST', path });
    expect(statusCode).toBe(202);
    expect(house.gateway.started.at(-1)?.name.catalog).toBe(name);
  });

  test('a body that is announced as larger than a mebibyte is refused before it is sent', async () => {
    const lines = ['Host: a', 'Content-Type: application/json', 'Content-Length: 1048577', 'Connection: close'];
    const answer = await raw(`POST ${shopAddress}/pause HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expectProblem(answer, 'body-too-large', 413);
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 'malformed-address', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(80_000)}\r\n\r\n`, 'headers-too-large', 431],
    ['a length that lies', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 'malformed-address', 400],
  ])('%s is answered with a problem', async (_what, bytes, type, status) => {
    const { statusCode, headers, body } = await raw(bytes);
    expect(statusCode).toBe(status);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ type: `/api/problems/${type}`, status, mend: expect.any(String) });
  });
});

describe('a waiting request', () => {
  test('waits for its round although its body has been read', async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { gateway } = house;
    gateway.result = { end: 'unreachable' };
    const answer = gateway.awaitRound.bind(gateway);
    gateway.awaitRound = async (run, waitMs) => {
      await ended;
      return answer(run, waitMs);
    };
    const headers = { 'content-type': 'application/json' };
    const waiting = ask({ method: 'POST', path: `${shopAddress}/reconcile`, headers, body: '{"dryRun":false}' });
    await until('the round was started', 5_000, () => gateway.started.length === 1);
    await ask({ path: '/livez' }); // by now the server has seen the whole body
    end();
    expect((await waiting).statusCode).toBe(200);
  });

  test('is answered with the address of its round when the process leaves, so that closing is quick', async () => {
    house.gateway.awaitRound = () => new Promise(() => {});
    const waiting = ask({ method: 'POST', path: `${shopAddress}/reconcile`, headers: { prefer: 'wait=120' } });
    await until('the round was started', 5_000, () => house.gateway.started.length === 1);
    const closed = house.app.close();
    const { statusCode, headers } = await waiting;
    expect([statusCode, headers.location]).toEqual([202, `${shopAddress}/rounds/r1`]);
    await closed;
  });

  test('ends with its client: nobody looks at the ledger for somebody who left', async () => {
    await house.close();
    let looks = 0;
    let hangUp = () => {};
    await listen((real) => ({
      ...real,
      removals: {
        ...real.removals,
        next: async () => {
          looks += 1;
          if (looks === 3) hangUp();
          return { step: 'remove', finding: 'f', path: ['gone'], kind: 'schema' };
        },
      },
    }));
    await wholeRound(at.ledger, 'r1', [{ path: 'gone', verdict: absent() }]);
    house.gateway.result = { end: 'published', due: 1 };
    const client = send({ method: 'POST', path: `${shopAddress}/reconcile`, headers: { prefer: 'wait=120' } });
    client.on('error', () => {}); // we hung up ourselves
    hangUp = () => client.destroy();
    await new Promise((resolve) => client.once('close', resolve));
    // a look takes a few milliseconds and a pause one: as many requests would see several more of them
    for (let n = 0; n < 30; n += 1) await ask({ path: '/livez' });
    const after = looks;
    for (let n = 0; n < 30; n += 1) await ask({ path: '/livez' });
    expect(looks).toBe(after);
    expect(looks).toBeGreaterThanOrEqual(3);
  });
});

test('sockets have bounds: for a request to arrive, for silence, and for idling', () => {
  const { requestTimeout, timeout, keepAliveTimeout } = house.app.server;
  expect(requestTimeout).toBe(15_000);
  expect(timeout).toBeGreaterThan(120_000); // the longest wait for a round
  expect(keepAliveTimeout).toBe(65_000);
});

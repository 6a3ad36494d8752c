import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRate } from '../../src/api/progress/rate.ts';
import type { RoundReport } from '../../src/contract/round-messages.ts';
import { openInput } from '../ledger/rounds/scene.ts';
import type { TestLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { type ApiHouse, expectProblem, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
let leaving: AbortController;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());
afterEach(() => house.close());

const times = { lookEveryMs: 4, heartbeatMs: 20, longestMs: 20_000 };

async function open(more: Partial<typeof times> = {}): Promise<void> {
  leaving = new AbortController();
  house = await openHouse(at, { leaving: leaving.signal, eventTimes: { ...times, ...more } });
}

const url = `${shopAddress}/rounds/r1/events`;
const watch = () => house.app.inject({ url, headers: { accept: 'text/event-stream' } });

function probing(probed: number): RoundReport {
  return {
    metalake: 'lake',
    catalog: 'shop',
    roundId: 'r1',
    dry: false,
    phase: 'probing',
    totals: { registrations: 10, eligible: 10, probed, verdicts: { present: probed } },
    samples: [],
    hold: [],
    more: shopAddress,
  };
}

/** The events of a stream, and how many comments stood between them. */
function eventsOf(text: string) {
  const blocks = text.split('\n\n').filter((block) => block !== '');
  const events = blocks.flatMap((block) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return name === undefined ? [] : [{ name, data: JSON.parse(data ?? '') as Record<string, unknown> }];
  });
  return { events, comments: blocks.filter((block) => block.startsWith(':')).length };
}

const end = () => at.ledger.rounds.end({ id: 'r1', state: 'failed', now: t0, reason: why });
const why = { type: 'Internal' as const, code: 'test', message: 'enough' };

describe('the events of a round', () => {
  test('tell its progress with a rate, keep the line alive, and end with it', async () => {
    await open();
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = probing(2);
    const watching = watch();
    await until('somebody looks', 5_000, () => house.gateway.looks > 0);
    house.gateway.live = probing(8);
    const looks = house.gateway.looks;
    await until('it looks on', 5_000, () => house.gateway.looks > looks + 15);
    await end();
    const answer = await watching;
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    const { events, comments } = eventsOf(answer.body);
    expect(events.map(({ name }) => name)).toEqual(['progress', 'progress', 'end']);
    expect(events[0]?.data).toMatchObject({
      id: 'r1',
      state: 'running',
      phase: 'probing',
      totals: { probed: 2 },
      at: t0,
    });
    expect(events[0]?.data).not.toHaveProperty('perSecond');
    expect(events[1]?.data).toMatchObject({ totals: { probed: 8 }, perSecond: expect.any(Number) });
    expect(events[2]?.data).toMatchObject({ state: 'failed', from: 'ledger', record: { reason: why } });
    expect(comments).toBeGreaterThan(0);
  });

  test('of one that has ended are its end', async () => {
    await open();
    await at.ledger.rounds.open(openInput('r1'));
    await end();
    expect(eventsOf((await watch()).body).events).toMatchObject([{ name: 'end', data: { id: 'r1', state: 'failed' } }]);
  });

  test.each([
    ['Temporal is away', true],
    ['no worker answers', false],
  ])('say so while %s, and go on', async (_what, away) => {
    await open();
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.away = away;
    const watching = watch();
    await until('somebody looks', 5_000, () => house.gateway.looks > 0);
    house.gateway.away = false;
    house.gateway.live = probing(3);
    const looks = house.gateway.looks;
    await until('it looks on', 5_000, () => house.gateway.looks > looks + 2);
    await end();
    const { events } = eventsOf((await watching).body);
    expect(events.map(({ name }) => name)).toEqual(['progress', 'progress', 'end']);
    expect(events[0]?.data).toMatchObject({ state: 'running', liveMissing: expect.stringContaining('no worker') });
    expect(events[1]?.data).toMatchObject({ totals: { probed: 3 } });
  });

  test('of none, or in a catalog that is none, are a problem', async () => {
    await open();
    expectProblem(await watch(), 'no-such-round', 404);
    const nowhere = '/api/metalakes/lake/catalogs/nowhere/rounds/r1/events';
    expectProblem(await house.app.inject({ url: nowhere }), 'no-such-catalog', 404);
  });

  test('are over when the process leaves', async () => {
    await open();
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = probing(2);
    const watching = watch();
    await until('somebody looks', 5_000, () => house.gateway.looks > 0);
    leaving.abort();
    expect(eventsOf((await watching).body).events.at(-1)).toMatchObject({
      name: 'over',
      data: { why: expect.stringContaining('about to end') },
    });
  });

  test('are over when they lasted long enough', async () => {
    await open({ longestMs: 30 });
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = probing(2);
    const { events } = eventsOf((await watch()).body);
    expect(events.map(({ name }) => name)).toEqual(['progress', 'over']);
  });

  test('are sent to so many at once, who share their looks; one more is told to come again', async () => {
    await open({ lookEveryMs: 200 });
    await at.ledger.rounds.open(openInput('r1'));
    house.gateway.live = probing(2);
    await house.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = house.app.server.address() as AddressInfo;
    const begun: string[] = [];
    const streams = Array.from({ length: 64 }, () => {
      const sent = request({ host: '127.0.0.1', port, path: url, agent: false }, (answer) => {
        answer.once('data', (text: Buffer) => begun.push(text.toString()));
        answer.on('error', () => undefined);
      });
      sent.on('error', () => undefined);
      sent.end();
      return sent;
    });
    await until('all are open', 15_000, () => begun.length === 64);
    const refused = await watch();
    expectProblem(refused, 'too-busy', 503);
    expect(refused.headers['retry-after']).toBe('10');
    expect(house.gateway.looks).toBeLessThan(64);
    // who goes away makes room
    for (const sent of streams.slice(0, 4)) sent.destroy();
    await until('there is room', 10_000, async () => {
      leaving.signal.throwIfAborted();
      const sent = await fetch(`http://127.0.0.1:${port}${url}`);
      await sent.body?.cancel();
      return sent.status === 200;
    });
    leaving.abort();
  });
});

test('a rate is that of the last looks, and begins anew where the count does', () => {
  const rate = createRate();
  expect(rate(undefined, 0)).toBeUndefined();
  expect(rate(0, 0)).toBeUndefined();
  expect(rate(100, 1_000)).toBe(100);
  expect(rate(400, 2_000)).toBe(200);
  expect(rate(10, 3_000)).toBeUndefined();
  expect(rate(10, 5_000)).toBe(0);
  for (let n = 1; n <= 20; n += 1) rate(10 + n, 5_000 + n * 100);
  expect(rate(31, 7_100)).toBe(10);
});

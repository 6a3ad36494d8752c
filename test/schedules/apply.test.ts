import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection, type ScheduleClient } from '@temporalio/client';
import { CronExpressionParser } from 'cron-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cronProblem } from '../../src/config/cron.ts';
import { reconcileQueue, scheduleId, searchAttributes } from '../../src/contract/names.ts';
import { applySchedules, showSchedules } from '../../src/schedules/apply.ts';
import { type ScheduleRequest, wantedSchedules } from '../../src/schedules/desired.ts';
import { addMissingAttributes } from '../../src/temporal/dev-server/search-attributes.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { request } from './request.ts';

let connection: Connection;
let client: ScheduleClient;

beforeAll(async () => {
  connection = await Connection.connect({ address: await temporalAddress() });
});

afterAll(() => connection?.close());

// a namespace for each: applying pauses what it does not know
beforeEach(async () => {
  const namespace = `schedules-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await addMissingAttributes(connection, namespace, [searchAttributes.catalogId]);
  client = new Client({ connection, namespace }).schedule;
});

const apply = async (...requests: readonly ScheduleRequest[]) =>
  (await applySchedules(client, wantedSchedules(requests))).map(({ name, change, failure }) =>
    [name.catalog, change, failure].filter((part) => part !== undefined).join(' '),
  );
const handleOf = (catalog: string) => client.getHandle(scheduleId({ metalake: 'lake', catalog }));
const describeOf = (catalog: string) => handleOf(catalog).describe();
const runsOf = async (catalog: string) => {
  const { info } = await describeOf(catalog);
  // nobody works here: the first run stays, and the next ones are skipped because of it
  return info.numActionsTaken + info.numActionsSkippedOverlap;
};
/** Grows with every write to the schedule. */
const writesTo = async (catalog: string) =>
  Buffer.from((await describeOf(catalog)).raw.conflictToken ?? []).toString('hex');

describe('applying', () => {
  test('creates a schedule that starts ticks of its catalog', async () => {
    expect(await apply(request('Looker- 2.0/Test'), request('off', { enabled: false }))).toEqual([
      'Looker- 2.0/Test create',
    ]);
    const found = await describeOf('Looker- 2.0/Test');
    expect(found.action).toMatchObject({
      workflowType: 'roundTick',
      workflowId: 'tick/lake/Looker-%202.0%2FTest',
      taskQueue: reconcileQueue,
      args: [{ v: 1, metalake: 'lake', catalog: 'Looker- 2.0/Test', intervalMs: 3_600_000 }],
    });
    expect(found.policies).toEqual({ overlap: 'SKIP', catchupWindow: 3_600_000, pauseOnFailure: false });
    expect(found.spec).toMatchObject({ intervals: [{ every: 3_600_000 }], jitter: 720_000 });
    expect(found.typedSearchAttributes.get(searchAttributes.catalogId)).toBe('lake/Looker- 2.0/Test');
    expect(found.state.paused).toBe(false);
    expect(found.info.numActionsTaken).toBe(0);
  });

  test('B92 the same again writes nothing, and no run is lost by it', async () => {
    const often = request('shop', { schedule: { intervalMs: 2_000 }, intervalMs: 2_000 });
    await apply(often);
    const before = await writesTo('shop');
    const until = Date.now() + 10_000;
    while ((await runsOf('shop')) < 3 && Date.now() < until) {
      expect(await apply(often)).toEqual(['shop keep']);
      await pause(100);
    }
    expect(await runsOf('shop')).toBeGreaterThanOrEqual(3);
    const { info } = await describeOf('shop');
    expect(info.lastUpdatedAt).toBeUndefined();
    expect(info.numActionsMissedCatchupWindow).toBe(0);
    expect(before).toBe('0000000000000001');
  });

  test('B92 a change between the nominal and the jittered time does not lose the run', async () => {
    const often = (jitterPercent: number) =>
      request('shop', { schedule: { intervalMs: 6_000 }, intervalMs: 6_000, jitterPercent });
    await apply(often(100));
    const [wanted] = wantedSchedules([often(100)]);
    const offsetMs = wanted !== undefined && 'offsetMs' in wanted.times ? wanted.times.offsetMs : 0;
    const inBetween = async () => {
      const next = (await describeOf('shop')).info.nextActionTimes[0]?.getTime() ?? 0;
      const nominal = Math.floor((next - offsetMs) / 6_000) * 6_000 + offsetMs;
      return Date.now() > nominal && next - Date.now() > 500 ? next : undefined;
    };
    const next = await vi.waitUntil(inBetween, { timeout: 60_000, interval: 50 });
    const before = await runsOf('shop');
    expect(await apply(often(99))).toEqual(['shop update']);
    await expect.poll(() => runsOf('shop'), { timeout: next - Date.now() + 2_000 }).toBe(before + 1);
  }, 90_000);

  test('writes what changed, with everything that belongs to it', async () => {
    await apply(request('shop'));
    const cron = request('shop', { schedule: { cron: '30 3 * * 1-5' }, intervalMs: 86_400_000 });
    expect(await apply(cron)).toEqual(['shop update']);
    const found = await describeOf('shop');
    expect(found.spec.intervals).toEqual([]);
    expect(found.spec.jitter).toBe(300_000);
    expect(found.policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 86_400_000 });
    expect(found.typedSearchAttributes.get(searchAttributes.catalogId)).toBe('lake/shop');
    for (const next of found.info.nextActionTimes) {
      expect(next.getUTCHours()).toBe(3);
      expect(next.getUTCMinutes()).toBeGreaterThanOrEqual(30);
      expect(next.getUTCMinutes()).toBeLessThanOrEqual(35);
      expect([1, 2, 3, 4, 5]).toContain(next.getUTCDay());
    }
    expect(await apply(cron)).toEqual(['shop keep']);
  });

  test('means by a cron expression what the configuration took it for', async () => {
    const crons = ['*/7 * * * *', '5-59/15 */3 * * *', '0 3 1,15 * *', '0 0 * jan,MAR *', '0 12 * * 5-7', '0 0 29 2 *'];
    const requests = crons.map((cron) => request(cron, { schedule: { cron }, intervalMs: 60_000, jitterPercent: 0 }));
    expect(crons.flatMap((cron) => cronProblem(cron) ?? [])).toEqual([]);
    await apply(...requests);
    for (const { name, existing } of await showSchedules(client, wantedSchedules(requests))) {
      const next = existing?.next ?? [];
      const currentDate = new Date((next[0] ?? 0) - 1);
      const expected = CronExpressionParser.parse(name.catalog, { tz: 'UTC', currentDate }).take(next.length);
      expect(next.length).toBeGreaterThan(3);
      expect(next, name.catalog).toEqual(expected.map((time) => time.getTime()));
    }
  });

  test('keeps an operator’s pause and note, also through a change', async () => {
    await apply(request('shop'));
    await handleOf('shop').pause('moving the database, ask me');
    expect(await apply(request('shop'))).toEqual(['shop keep']);
    expect(await apply(request('shop', { jitterPercent: 0 }))).toEqual(['shop update']);
    expect(await apply(request('shop', { enabled: false }))).toEqual(['shop keep']);
    expect(await apply(request('shop', { jitterPercent: 0 }))).toEqual(['shop keep']);
    expect((await describeOf('shop')).state).toMatchObject({ paused: true, note: 'moving the database, ask me' });
  });

  test('pauses a disabled one, and lifts that pause of ours when it is enabled again', async () => {
    await apply(request('shop'), request('depot'));
    const disabled = [request('shop', { enabled: false }), request('depot', { enabled: false })];
    expect(await apply(...disabled)).toEqual(['shop pause', 'depot pause']);
    expect(await apply(...disabled)).toEqual(['shop keep', 'depot keep']);
    expect((await describeOf('shop')).state).toMatchObject({
      paused: true,
      note: expect.stringContaining('enabled is false'),
    });
    // one as it was, one changed meanwhile
    expect(await apply(request('shop'), request('depot', { jitterPercent: 1 }))).toEqual([
      'shop resume',
      'depot update',
    ]);
    expect((await describeOf('shop')).state.paused).toBe(false);
    expect((await describeOf('depot')).state.paused).toBe(false);
  });

  test('pauses what is configured no more, and leaves alone what is not ours', async () => {
    await apply(request('shop'), request('depot'));
    const action = { type: 'startWorkflow', workflowType: 'other', taskQueue: 'other' } as const;
    const spec = { intervals: [{ every: 86_400_000 }] };
    const typedSearchAttributes = [{ key: searchAttributes.catalogId, value: 'x' }];
    for (const id of ['reconcile/lake/theirs', 'reconcile/nightly', 'backup']) {
      await client.create({ scheduleId: id, spec, action, typedSearchAttributes });
    }
    // the server's list lags behind
    await expect.poll(() => apply(request('shop')), { timeout: 10_000 }).toEqual(['shop keep', 'depot pause']);
    expect((await describeOf('theirs')).state.paused).toBe(false);
    await expect.poll(() => apply(request('shop')), { timeout: 10_000 }).toEqual(['shop keep', 'depot keep']);
    // nor is a schedule of that id taken over
    expect(await apply(request('shop'), request('theirs'))).toEqual([
      'shop keep',
      expect.stringMatching(/^theirs create .*already exists/),
      'depot keep',
    ]);
  });

  test('goes on where one schedule cannot be written', async () => {
    const impossible = request('bad', { schedule: { cron: 'never' }, intervalMs: 60_000 });
    expect(await apply(impossible, request('good'))).toEqual([expect.stringMatching(/^bad create .+/), 'good create']);
  });

  test('two at once agree', async () => {
    const requests = ['a', 'b', 'c'].map((catalog) => request(catalog));
    const both = await Promise.all([apply(...requests), apply(...requests)]);
    expect(both.flat().filter((line) => !/^[abc] (create|keep)$/.test(line))).toEqual([]);
    expect(await apply(...requests)).toEqual(['a keep', 'b keep', 'c keep']);
  });

  test('says so where the server cannot be asked, in time', async () => {
    const nowhere = Connection.lazy({ address: '127.0.0.1:1' });
    const lost = new Client({ connection: nowhere }).schedule;
    await expect(applySchedules(lost, wantedSchedules([request('shop')]))).rejects.toThrow();
    await nowhere.close();
  }, 30_000);
});

test('showing tells the next times and what applying would do, and writes nothing', async () => {
  const wanted = wantedSchedules([request('shop'), request('new'), request('off', { enabled: false })]);
  await apply(request('shop', { jitterPercent: 0 }));
  const before = await writesTo('shop');
  const shown = await showSchedules(client, wanted);
  expect(shown.map(({ name, change }) => [name.catalog, change])).toEqual([
    ['shop', 'update'],
    ['new', 'create'],
    ['off', undefined],
  ]);
  const [next = 0, later = 0] = shown[0]?.existing?.next ?? [];
  expect(later - next).toBe(3_600_000);
  expect(shown[0]?.existing).toMatchObject({ paused: false, missed: 0 });
  expect(await writesTo('shop')).toBe(before);
});

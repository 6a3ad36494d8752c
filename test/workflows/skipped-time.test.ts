import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReconcileActivities, createRemovalActivities } from '../../src/activities/index.ts';
import type { Gateway } from '../../src/api/gateway.ts';
import { queries, reviewWorkflowId, searchAttributes, signals } from '../../src/contract/names.ts';
import type { StaleReport } from '../../src/contract/review-messages.ts';
import type { RoundResult } from '../../src/contract/round-messages.ts';
import { type Actor, reconciler } from '../../src/domain/actor.ts';
import { pathText } from '../../src/domain/path.ts';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { createGateway } from '../../src/temporal/gateway.ts';
import { prompt, startWorkers, type Workers } from '../../src/temporal/workers.ts';
import { day, hour } from '../support/builders.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { timeSkippingEnvironment } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { workflowBundle, worldDeps } from '../support/world/world-house.ts';

const person: Actor = { name: 'ada', verified: false, via: 'api' };
/** `IndexedValueType` of Temporal's API. */
const [keyword, int] = [2, 3];
/** Few rounds make a day that way. */
const interval = 6 * hour;

/**
 * Timers of days, on a server that skips them. Its clock is not the machine's, so activities are told the server's time
 * before they run. Time stands still, or rather goes on as everywhere, except while a test sleeps.
 */
describe('over days', { timeout: 120_000 }, () => {
  let environment: TestWorkflowEnvironment;
  let client: Client;
  let gateway: Gateway;
  let opened: TestLedger;
  let workers: Workers;
  let world: World;
  let clock: number;
  const name = () => ({ metalake: 'world', catalog: world.catalog });
  const key = () => pathText(['world', world.catalog]);
  const review = () => client.workflow.getHandle(reviewWorkflowId(name()));

  beforeAll(async () => {
    await Promise.all([workflowBundle(), openTestLedger().then((ledger) => (opened = ledger))]);
  });
  afterAll(() => opened.close());

  /** A server for each test: this one skips no more time once a workflow ended while something of it was under way. */
  beforeEach(async () => {
    environment = await timeSkippingEnvironment();
    const namespace = environment.namespace ?? 'default';
    // It knows how to add search attributes and not how to list them.
    await environment.connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: {
        [searchAttributes.catalogId.name]: keyword,
        [searchAttributes.reconcilePhase.name]: keyword,
        [searchAttributes.staleCount.name]: int,
      },
    });
    // Not the environment's own client, which lets time leap whenever it waits for a result.
    client = new Client({ connection: environment.connection, namespace });
    gateway = createGateway(client);
    await opened.reset();
    world = new World('over-days');
    for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
    clock = await environment.currentTimeMs();
    const deps = worldDeps(world, opened.ledger, () => clock);
    workers = await startWorkers({
      connection: environment.nativeConnection,
      namespace,
      bundle: await workflowBundle(),
      reconcileActivities: onServerTime(createReconcileActivities(deps)),
      removalActivities: onServerTime(createRemovalActivities(deps)),
      leave: prompt,
    });
  });
  afterEach(async () => {
    workers.stop();
    await workers.stopped;
    await environment.teardown();
  });

  const doing = async () => (await review().query<StaleReport>(queries.staleReport)).doing;

  function onServerTime(activities: object): object {
    const entries = Object.entries(activities as Record<string, (input: unknown) => Promise<unknown>>);
    const wrapped = entries.map(([activity, run]) => [
      activity,
      async (input: unknown) => {
        clock = Math.max(clock, await environment.currentTimeMs());
        return run(input);
      },
    ]);
    return Object.fromEntries(wrapped) as object;
  }

  async function policy(given: Partial<Policy>): Promise<void> {
    await opened.ledger.catalogs.ensure('world', world.catalog, clock);
    await opened.ledger.catalogs.applyPolicy({
      catalog: key(),
      policy: { ...defaultPolicy, minimumAgeMs: 0, ...given },
      intervalMs: interval,
      actor: reconciler,
      now: clock,
    });
  }

  async function round(): Promise<RoundResult> {
    const run = await gateway.startRound(name(), { dry: false, actor: person });
    const result = await gateway.awaitRound(run, 20_000);
    if (result === undefined) throw new Error('the round did not end within 20 s');
    return result;
  }

  /** In steps: the call that lets a month pass in one would be given up, and repeated, before the month is over. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= day) await environment.sleep(Math.min(left, day));
  }

  /** Rounds one interval apart, the last of them followed by no wait. */
  async function rounds(count: number): Promise<RoundResult[]> {
    const results: RoundResult[] = [];
    for (let done = 0; done < count; done += 1) {
      if (done > 0) await environment.sleep(interval);
      results.push(await round());
    }
    return results;
  }

  async function approveAll(requestKey: string): Promise<void> {
    const open = await opened.ledger.findings.page({ catalog: key(), state: 'open', limit: 10 }, clock);
    const decided = await gateway.decide(name(), {
      items: open.map(({ id, digest }) => ({ findingId: id, digest, action: 'approve' as const })),
      actor: person,
      requestKey,
      notAfter: (await environment.currentTimeMs()) + hour,
    });
    if (decided.status !== 'answered') throw new Error('the decision was not answered');
    expect(decided.result.answers.map(({ answer }) => answer)).toEqual(open.map(() => 'accepted'));
  }

  test('a grace period of a day passes in rounds that watch it, and then the registration goes by itself', async () => {
    await policy({ mode: 'auto-remove', approveAttended: false });
    await round();
    world.drop(['sales', 't1']);
    const early = await rounds(4);
    expect(early.map(({ due }) => due)).toEqual([0, 0, 0, 0]);
    expect(world.at(['sales', 't1'])).toBeDefined();
    await environment.sleep(interval + hour);
    expect(await round()).toMatchObject({ end: 'published', due: 1 });
    await until('sales/t1 is removed', 20_000, () => world.at(['sales', 't1']) === undefined);
    expect(world.removals).toMatchObject([{ path: ['sales', 't1'], actor: 'reconciler', objectExisted: false }]);
  });

  test('B62 a clock that leaps ten days lets nothing become due', async () => {
    await policy({ mode: 'auto-remove', approveAttended: false });
    await round();
    world.drop(['sales', 't1']);
    await round();
    await pass(10 * day);
    expect(await round()).toMatchObject({ end: 'published', open: 1, due: 0 });
    // Twice the interval is as much as two rounds can have watched, however far apart they are.
    const [finding] = await opened.ledger.findings.page({ catalog: key(), state: 'open', limit: 1 }, clock);
    expect(finding?.standing.graceMs).toBe(2 * interval);
    expect(world.removals).toEqual([]);
  });

  test('removals keep the pace of the catalog', async () => {
    await policy({ removalsPerSecond: 1 / 60, removalBurst: 1, graceMs: 0 });
    await round();
    for (const table of ['t1', 't2', 't3', 't4']) world.drop(['sales', table]);
    await rounds(2);
    await approveAll('all four');
    const removed = () => 4 - [1, 2, 3, 4].filter((table) => world.at(['sales', `t${table}`]) !== undefined).length;
    for (let done = 1; done <= 4; done += 1) {
      await until(`${done} of 4 are removed`, 20_000, () => removed() === done);
      if (done === 4) break;
      await until('it keeps the pace', 20_000, async () => (await doing()) === 'pacing');
      await environment.sleep(50_000);
      expect(removed()).toBe(done);
      await environment.sleep(10_000);
    }
    await until('all four have an outcome', 20_000, async () => {
      const removals = await opened.ledger.removals.page({ catalog: key(), limit: 10 });
      return removals.length === 4 && removals.every(({ outcome }) => outcome === 'removed');
    });
  });

  test('an approval that nobody could carry out is void after seven days', async () => {
    await policy({ graceMs: 0, misses: 3 });
    await round();
    world.drop(['sales', 't1']);
    await round();
    await approveAll('too early');
    await pass(8 * day);
    await rounds(2);
    expect(world.removals).toEqual([]);
    // Had the first approval stood, those rounds would have let the registration go as this one does.
    await approveAll('again');
    await until('sales/t1 is removed', 20_000, () => world.at(['sales', 't1']) === undefined);
  });

  test('B91 a review that waits for 30 days renews itself and goes on as if nothing had been', async () => {
    await policy({ graceMs: 0 });
    await round();
    world.drop(['sales', 't1']);
    await rounds(2);
    await until('it waits', 20_000, async () => (await doing()) === 'waiting: not-approved');
    const before = await review().describe();
    // Whatever wakes it counts as a message, and 500 of them are enough for one run.
    await Promise.all(Array.from({ length: 501 }, () => review().signal(signals.wake, { why: 'a test' })));
    await pass(30 * day);
    const after = await review().describe();
    expect(after.status.name).toBe('RUNNING');
    expect(after.runId).not.toBe(before.runId);
    expect(await doing()).toBe('waiting: not-approved');
    await approveAll('after a month');
    await until('sales/t1 is removed', 20_000, () => world.at(['sales', 't1']) === undefined);
  });
});

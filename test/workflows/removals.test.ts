import { MockActivityEnvironment } from '@temporalio/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRemovalActivities } from '../../src/activities/index.ts';
import { requestTimeoutMs } from '../../src/activities/carry-out-intent.ts';
import { queries } from '../../src/contract/names.ts';
import type { StaleReport } from '../../src/contract/review-messages.ts';
import { pathText } from '../../src/domain/path.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, worldDeps, type WorldHouse } from '../support/world/world-house.ts';
import { ada, gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const catalogs = [
  'ended',
  'unanswered',
  'unsent',
  'deployed',
  'paused',
  'rejected',
  'unattended',
  'unapproved',
  'repeated',
  'cutShort',
  'wordsOnly',
] as const;

describe('removals', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  const worlds = new Map<string, World>();
  /** How far the activities' clock runs ahead of the machine's. */
  let ahead = 0;

  beforeAll(async () => {
    for (const name of catalogs) {
      const world = new World(name);
      for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    house = await openWorldHouse(first, await temporalAddress(), { beside, clock: () => Date.now() + ahead });
  });
  afterAll(() => house.close());

  function scene(catalog: (typeof catalogs)[number]) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const name = { metalake: 'world', catalog };
    const steps = stepsIn(house, name);
    const removed = () => world.removals.map(({ path }) => pathText(path)).sort();
    const doing = async () => (await steps.reviewHandle().query<StaleReport>(queries.staleReport)).doing;
    /** Rounds until what was dropped may go as soon as somebody approves it. */
    const ripen = async (...tables: string[]): Promise<void> => {
      await steps.round();
      for (const table of tables) world.drop(['sales', table]);
      await steps.round();
      await steps.round();
    };
    return { world, name, steps, removed, doing, ripen };
  }

  test('a review that is ended from outside comes back with the next round, and removes the rest once', async () => {
    const { steps, removed, ripen } = scene('ended');
    await house.policy({ removalsPerSecond: 0.5, removalBurst: 1 });
    await ripen('t1', 't2', 't3');
    for (const table of ['t1', 't2', 't3']) await steps.decide(`sales/${table}`);
    await steps.outcomeAt('sales/t1');
    await steps.reviewHandle().terminate('a test');
    const seen = removed().length;
    expect(seen).toBeLessThan(3);
    await steps.round();
    for (const table of ['t2', 't3']) {
      expect(await steps.outcomeAt(`sales/${table}`)).toMatchObject({ outcome: 'removed' });
    }
    expect(removed()).toEqual(['sales/t1', 'sales/t2', 'sales/t3']);
    await house.policy();
  });

  test('an answer that was lost after the removal is found out by looking, and not before the request is over', async () => {
    const { world, steps, removed, ripen } = scene('unanswered');
    await ripen('t1');
    world.afterRemove = async () => {
      world.afterRemove = undefined;
      ahead += 44_000; // a second before anybody may look
      throw new Error('the connection broke');
    };
    await steps.decide('sales/t1');
    const removal = await steps.outcomeAt('sales/t1', 30_000);
    expect(removal).toMatchObject({ outcome: 'removed', entities: 1 });
    expect(removed()).toEqual(['sales/t1']);
    const opened = await intentOpened(steps.catalog);
    expect(removal.at).toBeGreaterThanOrEqual(opened.actBefore + requestTimeoutMs);
  });

  test('a request that was lost on its way is given up by looking, and the approval is tried again', async () => {
    const { world, steps, removed, ripen } = scene('unsent');
    await ripen('t1');
    world.beforeRemove = async () => {
      world.beforeRemove = undefined;
      ahead += 44_000;
      throw new Error('the connection broke');
    };
    await steps.decide('sales/t1');
    await until('it is removed', 45_000, () => removed().length === 1);
    await until('both outcomes are on record', patienceMs, async () => (await steps.removals()).length === 2);
    expect((await steps.removals()).map(({ outcome }) => outcome)).toEqual(['removed', 'abandoned']);
    expect(removed()).toEqual(['sales/t1']);
  });

  test('a worker that is told to stop in the middle of a removal lets it come to its end', async () => {
    const { world, steps, removed, ripen } = scene('deployed');
    await ripen('t1', 't2');
    const held = gate();
    world.beforeRemove = held.pass;
    await steps.decide('sales/t1');
    await held.reached;
    const stopping = house.stopWorker();
    world.beforeRemove = undefined;
    held.open();
    await stopping;
    expect(removed()).toEqual(['sales/t1']);
    await house.startWorker();
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed' });
    await steps.decide('sales/t2');
    expect(await steps.outcomeAt('sales/t2')).toMatchObject({ outcome: 'removed' });
    expect(removed()).toEqual(['sales/t1', 'sales/t2']);
  });

  test('a pause while the pace is kept is heard before the next removal, and lasts until somebody resumes', async () => {
    const { steps, name, removed, doing, ripen } = scene('paused');
    await house.policy({ removalsPerSecond: 0.5, removalBurst: 1 });
    await ripen('t1', 't2');
    await steps.decide('sales/t1');
    await steps.decide('sales/t2');
    await steps.outcomeAt('sales/t1');
    await house.ledger.decisions.pause(steps.catalog, { by: 'ada', reason: 'a look', at: house.now() }, ada);
    await house.gateway.wakeReview(name, 'paused');
    await until('it waits', patienceMs, async () => (await doing()) === 'waiting: paused');
    expect(removed()).toEqual(['sales/t1']);
    await house.ledger.decisions.resume(steps.catalog, ada, house.now());
    await house.gateway.wakeReview(name, 'resumed');
    expect(await steps.outcomeAt('sales/t2')).toMatchObject({ outcome: 'removed' });
    await house.policy();
  });

  test('a rejection while the pace is kept is heard before the next removal', async () => {
    const { world, steps, removed, doing, ripen } = scene('rejected');
    await house.policy({ removalsPerSecond: 0.5, removalBurst: 1 });
    await ripen('t1', 't2');
    await steps.decide('sales/t1');
    await steps.decide('sales/t2');
    await steps.outcomeAt('sales/t1');
    expect(await steps.decide('sales/t2', 'reject')).toMatchObject({ answer: 'accepted' });
    // nothing but what was rejected is open: there is nothing to wait for
    await until('it is done', patienceMs, async () => (await doing()) === 'done');
    expect(removed()).toEqual(['sales/t1']);
    expect(world.at(['sales', 't2'])).toBeDefined();
    await house.policy();
  });

  test('auto-remove announces first, and removes in a later round, as reconciler', async () => {
    const { world, steps, removed } = scene('unattended');
    await house.policy({ mode: 'auto-remove' }, 1);
    await steps.round();
    world.drop(['sales', 't1']);
    world.touch(world.at(['sales', 't2'])?.id ?? '', { owner: 'somebody' });
    world.drop(['sales', 't2']);
    expect(await steps.round()).toMatchObject({ end: 'published', due: 0 });
    expect((await steps.findingAt('sales/t1')).standing.dueAt).toBeDefined();
    expect(removed()).toEqual([]);
    expect(await steps.round()).toMatchObject({ end: 'published', due: 1 });
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed', actor: { name: 'reconciler' } });
    // What has an owner waits for a person all the same.
    expect((await steps.findingAt('sales/t2')).standing.waits).toContain('needs-approval');
    expect(removed()).toEqual(['sales/t1']);
    await house.policy();
  });

  test('B07 the removal activity asks for itself whether anybody approved', async () => {
    const { world, name, steps, ripen } = scene('unapproved');
    await ripen('t1');
    const finding = await steps.findingAt('sales/t1');
    const { removeRegistration } = createRemovalActivities(worldDeps(world, house.ledger, house.now));
    const answer: unknown = await new MockActivityEnvironment().run(removeRegistration, {
      ...name,
      finding: finding.id,
      intentId: randomUUID(),
    });
    expect(answer).toEqual({ outcome: 'not-permitted', reason: 'not-approved' });
    expect(world.removals).toEqual([]);
    expect(await house.ledger.removals.openIntentOf(steps.catalog)).toBeUndefined();
  });

  test('B34 a registry that says removed and still lists has not removed, and the approval is spent', async () => {
    const { world, steps, removed, ripen } = scene('wordsOnly');
    await ripen('t1');
    world.removesInWordsOnly = true;
    await steps.decide('sales/t1');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({
      outcome: 'refused',
      reason: 'the registry said removed, but still lists it',
    });
    expect(removed()).toEqual([]);
    const finding = await steps.findingAt('sales/t1');
    expect(finding.decision).toBeUndefined();
    expect(finding.state).toBe('open');
  });

  test('B74 what was removed is no candidate any more, and is not removed again', async () => {
    const { steps, removed, ripen } = scene('repeated');
    await ripen('t1');
    await steps.decide('sales/t1');
    await steps.outcomeAt('sales/t1');
    for (let again = 0; again < 2; again += 1) {
      expect(await steps.round()).toMatchObject({ end: 'published', open: 0, due: 0, totals: { registrations: 30 } });
    }
    expect(removed()).toEqual(['sales/t1']);
    expect(await steps.removals()).toHaveLength(1);
  });

  test('a worker that shuts down during the last look has sent nothing: the removal is tried again', async () => {
    const { world, name, steps, removed, ripen } = scene('cutShort');
    await ripen('t1');
    await house.stopWorker();
    const finding = await steps.findingAt('sales/t1');
    await house.ledger.decisions.decide({
      catalog: steps.catalog,
      items: [{ findingId: finding.id, digest: finding.digest, action: 'approve' }],
      actor: ada,
      requestKey: 'by hand',
      now: house.now(),
      canRepoint: true,
      notAfter: house.now() + 60_000,
    });
    const { removeRegistration } = createRemovalActivities(worldDeps(world, house.ledger, house.now));
    const environment = new MockActivityEnvironment();
    world.beforeAnswer = async () => {
      world.beforeAnswer = undefined;
      environment.cancel('WORKER_SHUTDOWN');
    };
    const input = { ...name, finding: finding.id, intentId: randomUUID() };
    expect(await environment.run(removeRegistration, input)).toMatchObject({ outcome: 'abandoned' });
    expect(removed()).toEqual([]);
    await house.startWorker();
    await house.gateway.wakeReview(name, 'a test');
    await until('it is removed', patienceMs, () => removed().length === 1);
  });

  async function intentOpened(catalog: string): Promise<{ readonly actBefore: number }> {
    const entries = await house.ledger.audit.page({ after: 0, limit: 500, catalog });
    const opened = entries.find(({ action }) => action === 'intent-opened');
    const actBefore = opened?.detail['actBefore'];
    if (typeof actBefore !== 'number') throw new Error('no intent was opened');
    return { actBefore };
  }
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import { openTestLedger } from '../support/ledger.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

/** Many live tables beside the few that go, so that the guard has no reason to hold anything. */
const live = 30;

describe('catalogs beside each other', { timeout: 90_000 }, () => {
  let house: WorldHouse;
  const names = ['stuck', 'lively', 'one', 'two', 'three', 'levels', 'nested', 'twice'] as const;
  const worlds = new Map<string, World>(names.map((name) => [name, new World(name)]));

  beforeAll(async () => {
    for (const world of worlds.values()) for (let n = 0; n < live; n += 1) world.add(['live', `t${n}`]);
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    house = await openWorldHouse(first, await temporalAddress(), { beside });
  });
  afterAll(() => house.close());

  function scene(catalog: (typeof names)[number]) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const name = { metalake: 'world', catalog };
    const steps = stepsIn(house, name);
    /** Two rounds after the drop, so that a person may approve. */
    const ripen = async (...paths: readonly (readonly [string, ...string[]])[]): Promise<void> => {
      await steps.round();
      for (const path of paths) world.drop(path);
      await steps.round();
      await steps.round();
    };
    return { world, steps, ripen };
  }

  test('B83 a scan that stands still does not slow the removals of another catalog', async () => {
    const stuck = scene('stuck');
    const lively = scene('lively');
    await lively.ripen(['live', 't1'], ['live', 't2'], ['live', 't3']);
    const held = gate();
    stuck.world.beforeAnswer = held.pass;
    const run = await stuck.steps.startRound();
    await held.reached;
    for (const table of ['t1', 't2', 't3']) await lively.steps.decide(`live/${table}`);
    for (const table of ['t1', 't2', 't3']) {
      expect(await lively.steps.outcomeAt(`live/${table}`)).toMatchObject({ outcome: 'removed' });
    }
    expect(await stuck.steps.roundHandle().describe()).toMatchObject({ status: { name: 'RUNNING' } });
    held.open();
    expect(await stuck.steps.endOf(run)).toMatchObject({ end: 'published' });
  });

  test('B97 each catalog keeps its own pace, and none waits for another', async () => {
    await house.policy({ removalsPerSecond: 4, removalBurst: 1 });
    const paths = [1, 2, 3, 4].map((n) => ['live', `t${n}`] as const);
    const three = (['one', 'two', 'three'] as const).map(scene);
    await Promise.all(three.map(({ ripen }) => ripen(...paths)));
    await Promise.all(
      three.flatMap(({ steps }) => paths.map((path) => steps.decide(pathText([...path] as [string, ...string[]])))),
    );
    const times = await Promise.all(
      three.map(async ({ steps }) => {
        await until('all are removed', patienceMs, async () => (await steps.removals()).length === paths.length);
        return (await steps.removals()).map(({ at }) => at).sort((a, b) => a - b);
      }),
    );
    for (const each of times) {
      // four a second: the three that follow the first cannot all come within half a second of it
      expect((each.at(-1) ?? 0) - (each[0] ?? 0)).toBeGreaterThan(500);
    }
    const lastStart = Math.max(...times.map((each) => each[0] ?? 0));
    const firstEnd = Math.min(...times.map((each) => each.at(-1) ?? 0));
    expect(lastStart).toBeLessThan(firstEnd);
    await house.policy();
  });

  test('B77 what is gone is found at every level and of every kind', async () => {
    const { world, steps } = scene('levels');
    world.add(['gone'], 'schema');
    world.add(['live', 'inner'], 'schema');
    world.add(['live', 'inner', 'deep'], 'table');
    world.add(['live', 'seen'], 'view');
    world.add(['live', 'told'], 'topic');
    await steps.round();
    for (const path of [['gone'], ['live', 'inner'], ['live', 'seen'], ['live', 'told'], ['live', 't1']] as const) {
      world.drop(path);
    }
    await steps.round();
    const found = (await steps.findings()).map(({ kind, path }) => `${kind} ${pathText(path)}`);
    expect(found).toEqual([
      'schema gone',
      'schema live/inner',
      'table live/inner/deep',
      'view live/seen',
      'table live/t1',
      'topic live/told',
    ]);
  });

  test('B76 a container that is gone with all its contents has a verdict of its own, and goes with them at once', async () => {
    const { world, steps, ripen } = scene('nested');
    for (const table of ['a', 'b', 'c']) world.add(['d', table]);
    await ripen(['d']);
    const found = await steps.findings();
    expect(found.map(({ path, standing }) => [pathText(path), standing.verdict])).toEqual([
      ['d', 'absent'],
      ['d/a', 'absent'],
      ['d/b', 'absent'],
      ['d/c', 'absent'],
    ]);
    await steps.decide('d');
    expect(await steps.outcomeAt('d')).toMatchObject({ outcome: 'removed', entities: 4 });
    expect([...world.registrations.values()].filter(({ path }) => path[0] === 'd')).toEqual([]);
    expect(await steps.findings()).toEqual([]);
  });

  test('B38 two registrations of one object are both present, and neither is touched', async () => {
    const { world, steps } = scene('twice');
    // the source resolves both spellings to the same object
    const { uid, found } = world.create(['live', 'orders']);
    world.objects.set('orders', { uid, found, path: ['orders'] });
    world.register(['live', 'orders']);
    world.register(['orders']);
    for (let round = 0; round < 3; round += 1) expect(await steps.round()).toMatchObject({ end: 'published', due: 0 });
    expect((await steps.findings()).filter(({ standing }) => standing.ripe || standing.due)).toEqual([]);
    expect(world.removals).toEqual([]);
  });
});

test('B98 what Temporal has forgotten is still on record in the ledger', { timeout: 90_000 }, async () => {
  const ledger = await openTestLedger();
  onTestFinished(() => ledger.close());
  const world = new World('purged');
  for (let n = 0; n < live; n += 1) world.add(['live', `t${n}`]);

  const before = await openWorldHouse(world, await temporalAddress(), { ledger });
  const steps = stepsIn(before);
  await steps.round();
  world.drop(['live', 't1']);
  await steps.round();
  await steps.round();
  await steps.decide('live/t1');
  await steps.outcomeAt('live/t1');
  await before.close();

  // another namespace: no history of any run is left
  const after = await openWorldHouse(world, await temporalAddress(), { ledger });
  onTestFinished(() => after.close());
  const later = stepsIn(after);
  const rounds = await after.ledger.rounds.rounds(later.catalog, { limit: 10 });
  expect(rounds.map(({ state, counts }) => [state, counts?.registrations])).toEqual([
    ['published', live + 1],
    ['published', live + 1],
    ['published', live + 1],
  ]);
  expect(await later.removals()).toMatchObject([{ outcome: 'removed', actor: { name: 'ada' } }]);
  const decisions = await after.ledger.decisions.decisions(later.catalog, { limit: 10 }, after.now());
  expect(decisions).toMatchObject([{ action: 'approve', state: 'consumed' }]);
  expect(await later.round()).toMatchObject({ end: 'published', open: 0 });
});

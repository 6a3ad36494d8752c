import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queries, reconcileQueue, tickWorkflowId, workflowTypes } from '../../src/contract/names.ts';
import type { RoundReport } from '../../src/contract/round-messages.ts';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { pathText } from '../../src/domain/path.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

/** A catalog for each test: they share a server, a worker and a ledger, as catalogs do. */
const catalogs = {
  joined: 30,
  ticked: 4,
  left: 30,
  right: 30,
  told: 30,
  broken: 120,
  lanes: 2_100,
  losing: 30,
  short: 30,
  untrusted: 4,
  blind: 4,
  shrinking: 30,
  cancelled: 4,
} as const satisfies Record<string, number>;
type Catalog = keyof typeof catalogs;

describe('rounds', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  const worlds = new Map<string, World>();

  beforeAll(async () => {
    for (const [name, tables] of Object.entries(catalogs)) {
      const world = new World(name);
      for (let table = 0; table < tables; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    house = await openWorldHouse(first, await temporalAddress(), { beside });
  });
  afterAll(() => house.close());

  function scene(catalog: Catalog) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const name = { metalake: 'world', catalog };
    return { world, name, steps: stepsIn(house, name) };
  }

  test('B23 a second start of a catalog joins the round that runs', async () => {
    const { world, steps } = scene('joined');
    const held = gate();
    world.beforeAnswer = held.pass;
    const first = await steps.startRound();
    await held.reached;
    const second = await steps.startRound();
    expect(second).toMatchObject({ joined: true, roundId: first.roundId });
    held.open();
    expect(await steps.endOf(second)).toMatchObject({ end: 'published', roundId: first.roundId });
    expect(await house.ledger.rounds.rounds(steps.catalog, { limit: 10 })).toHaveLength(1);
  });

  test('B23 a tick starts nothing while a round runs, and says so', async () => {
    const { world, steps, name } = scene('ticked');
    const tick = (): Promise<unknown> =>
      house.client.workflow.execute(workflowTypes.roundTick, {
        workflowId: tickWorkflowId(name),
        taskQueue: reconcileQueue,
        args: [{ v: 1, ...name, intervalMs: 3_600_000 }],
      });
    const held = gate();
    world.beforeAnswer = held.pass;
    const run = await steps.startRound();
    await held.reached;
    expect(await tick()).toEqual({ started: false });
    held.open();
    await steps.endOf(run);
    expect(await tick()).toEqual({ started: true });
    const started = await steps.roundHandle().result();
    expect(started).toMatchObject({ end: 'published' });
    const [latest] = await house.ledger.rounds.rounds(steps.catalog, { limit: 1 });
    expect(latest).toMatchObject({ trigger: 'schedule', requestedBy: { name: 'reconciler' } });
  });

  test('B22 B23 one catalog that fails at once leaves the other alone, and findings stay within their catalog', async () => {
    const left = scene('left');
    const right = scene('right');
    await Promise.all([left.steps.round(), right.steps.round()]);
    left.world.drop(['sales', 't1']);
    right.world.drop(['sales', 't2']);
    right.world.sourceFault = new ReconcilerFailure('SourceAccessDenied', '28P01', 'the source refuses the password');
    const [good, bad] = await Promise.all([left.steps.round(), right.steps.round()]);
    expect(good).toMatchObject({ end: 'published', open: 1 });
    expect(bad).toMatchObject({ end: 'unreachable' });
    await left.steps.round();
    await left.steps.decide('sales/t1');
    expect(await left.steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed' });
    expect(right.world.removals).toEqual([]);
    expect(right.world.registrations.size).toBe(31);
    expect(await right.steps.findings()).toEqual([]);
  });

  test('a round that is under way reports its phase and its counts, and its samples when it ends', async () => {
    const { world, steps, name } = scene('told');
    await steps.round();
    world.drop(['sales', 't3']);
    const held = gate();
    world.beforeAnswer = async (asked) => {
      if (asked === 'probe') await held.pass();
    };
    const run = await steps.startRound();
    await held.reached;
    expect(await house.gateway.liveReport(name, { dry: false })).toMatchObject({
      roundId: run.roundId,
      phase: 'probing',
      dry: false,
      totals: { registrations: 31, eligible: 31, probed: 0 },
      samples: [],
      more: expect.stringContaining(`/api/metalakes/world/catalogs/told/rounds/${run.roundId}`) as string,
    });
    held.open();
    await steps.endOf(run);
    const report = await steps.roundHandle().query<RoundReport>(queries.report);
    expect(report).toMatchObject({
      phase: 'done',
      end: 'published',
      totals: { registrations: 31, eligible: 31, probed: 31, verdicts: { present: 30, absent: 1 } },
      samples: [{ path: 'sales/t3', kind: 'table', code: 'no-row' }],
    });
  });

  test('B04 a scan that breaks off half-way removes nothing, whatever was approved, and moves no finding', async () => {
    const { world, steps } = scene('broken');
    await steps.round();
    world.drop(['sales', 't1']);
    await steps.round();
    await steps.decide('sales/t1');
    const before = await steps.findings();
    let batches = 0;
    world.beforeAnswer = async (asked) => {
      if (asked !== 'probe') return;
      batches += 1;
      if (batches > 1) throw new ReconcilerFailure('SourceAccessDenied', '42501', 'no right to look any more');
    };
    expect(await steps.round()).toMatchObject({ end: 'unreachable', reason: { code: '42501' } });
    expect(batches).toBeGreaterThan(1);
    expect(world.removals).toEqual([]);
    expect((await steps.findings()).map(({ standing }) => standing)).toEqual(before.map(({ standing }) => standing));
    world.beforeAnswer = undefined;
    // The round after an incomplete one starts no approved removal either; the one after that does.
    await steps.round();
    expect(world.removals).toEqual([]);
    await steps.round();
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed' });
  });

  test('a lane that fails ends the round, once every other lane has come to its end', async () => {
    const { world, steps, name } = scene('lanes');
    const held = gate();
    let probes = 0;
    world.beforeAnswer = async (asked) => {
      if (asked !== 'probe') return;
      probes += 1;
      if (probes === 2) throw new ReconcilerFailure('SourceAccessDenied', '42501', 'no right to look');
      await held.pass();
    };
    const run = await steps.startRound();
    await until('all lanes ask', patienceMs, () => probes === 4);
    expect(await house.gateway.awaitRound(run, 500)).toBeUndefined();
    held.open();
    expect(await steps.endOf(run)).toMatchObject({ end: 'unreachable', reason: { type: 'SourceAccessDenied' } });
    const atTheEnd = await house.ledger.rounds.counts(run.roundId);
    const asked = world.questions;
    world.beforeAnswer = undefined;
    expect(await house.gateway.liveReport(name, { dry: false })).toMatchObject({ phase: 'done' });
    expect(world.questions).toBe(asked);
    expect(await house.ledger.rounds.counts(run.roundId)).toEqual(atTheEnd);
  });

  test('B05 a batch that comes back with an answer missing is asked again', async () => {
    const { world, steps } = scene('losing');
    await steps.round();
    world.answersLost = 1;
    world.beforeAnswer = async (asked) => {
      if (asked === 'check') return;
      world.beforeAnswer = async () => void (world.answersLost = 0);
    };
    const result = await steps.round();
    expect(result).toMatchObject({ end: 'published', open: 0, totals: { verdicts: { present: 31 } } });
  });

  test('B05 one that stays short makes the round incomplete, and nothing is concluded', async () => {
    const { world, steps } = scene('short');
    await steps.round();
    world.answersLost = 1;
    expect(await steps.round()).toMatchObject({ end: 'incomplete', reason: { type: 'IncompleteBatch' } });
    expect(await steps.findings()).toEqual([]);
    expect(await house.ledger.catalogs.catalog(steps.catalog)).toMatchObject({ state: 'incomplete' });
  });

  test('B14 an impossible name that is present makes the source untrusted in both directions', async () => {
    const { world, steps } = scene('untrusted');
    await steps.round();
    world.drop(['sales', 't1']);
    world.wrongControls = { impossible: { answer: 'present', code: 'row', found: 'table' } };
    expect(await steps.round()).toMatchObject({ end: 'unreachable', reason: { type: 'ProbeUntrusted' } });
    expect(await steps.findings()).toEqual([]);
  });

  test('B11 a built-in object that is absent makes the source untrusted: nothing is stale', async () => {
    const { world, steps } = scene('blind');
    await steps.round();
    world.drop(['sales', 't1']);
    world.wrongControls = { builtin: { answer: 'absent', code: 'no-row' } };
    expect(await steps.round()).toMatchObject({ end: 'unreachable', reason: { type: 'ProbeUntrusted' } });
    expect(await steps.findings()).toEqual([]);
  });

  test('B47 a registration that somebody drops during the scan stops nothing and is not reported', async () => {
    const { world, steps } = scene('shrinking');
    await steps.round();
    world.drop(['sales', 't2']);
    world.beforeAnswer = async (asked) => {
      if (asked !== 'probe') return;
      for (const table of ['t1', 't2']) {
        const gone = world.at(['sales', table]);
        if (gone === undefined) continue;
        world.registrations.delete(gone.id);
        world.drops.push(house.now());
      }
    };
    expect(await steps.round()).toMatchObject({ end: 'published' });
    world.beforeAnswer = undefined;
    expect(await steps.round()).toMatchObject({ end: 'published', open: 0, totals: { registrations: 29 } });
    expect(world.removals).toEqual([]);
  });

  test('a round that is cancelled says so, moves nothing, and leaves the catalog free for the next', async () => {
    const { world, steps } = scene('cancelled');
    await steps.round();
    world.drop(['sales', 't1']);
    const held = gate();
    world.beforeAnswer = held.pass;
    const run = await steps.startRound();
    await held.reached;
    await steps.roundHandle().cancel();
    world.beforeAnswer = undefined;
    held.open();
    await expect(steps.roundHandle().result()).rejects.toThrow();
    expect(await house.ledger.rounds.round(run.roundId)).toMatchObject({ state: 'cancelled' });
    expect(await steps.findings()).toEqual([]);
    expect(await steps.round()).toMatchObject({ end: 'published', open: 1 });
    expect((await steps.findings()).map(({ path }) => pathText(path))).toEqual(['sales/t1']);
  });
});

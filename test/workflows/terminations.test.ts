import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { type GatedLedger, gatedLedger, type LedgerStep, type Stand } from '../support/world/gated-ledger.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const ends = ['terminate', 'cancel'] as const;
type End = (typeof ends)[number];

/** Where a round stands when somebody ends it: at a question to the source, or at a step in the ledger. */
const roundPhases = {
  opening: { step: 'rounds.open', at: 'after' },
  checking: { asked: 'check', times: 1 },
  listing: { step: 'rounds.appendSnapshot', at: 'before' },
  probing: { asked: 'probe', times: 1 },
  settling: { asked: 'identify', times: 1 },
  'checking-again': { asked: 'check', times: 2 },
  judging: { step: 'rounds.recordJudgements', at: 'before' },
  publishing: { step: 'rounds.publish', at: 'before' },
  published: { step: 'rounds.publish', at: 'after' },
} as const satisfies Record<string, Phase>;

const removalPhases = {
  deciding: { step: 'decisions.decide', at: 'after' },
  'next-step': { step: 'removals.next', at: 'before' },
  intent: { step: 'removals.openIntent', at: 'after' },
  looking: { asked: 'probe', times: 1 },
  sent: { hook: 'beforeRemove' },
  removed: { hook: 'afterRemove' },
  settling: { step: 'removals.settle', at: 'before' },
  settled: { step: 'removals.settle', at: 'after' },
} as const satisfies Record<string, Phase>;

type Phase =
  | { readonly step: LedgerStep; readonly at: Stand }
  | { readonly asked: 'check' | 'probe' | 'identify'; readonly times: number }
  | { readonly hook: 'beforeRemove' | 'afterRemove' };

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
const roundCases = keysOf(roundPhases).flatMap((phase) => ends.map((end) => [phase, end] as const));
/** What brings a review back, in turn. */
const removalCases = keysOf(removalPhases).flatMap((phase, index) =>
  ends.map((end, other) => [phase, end, (index + other) % 2 === 0 ? 'round' : 'decision'] as const),
);

describe('ended by an operator', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  let opened: TestLedger;
  let gated: GatedLedger;
  let ahead = 0;
  const worlds = new Map<string, World>();

  beforeAll(async () => {
    const names = [
      ...roundCases.map(([phase, end]) => `round-${phase}-${end}`),
      ...removalCases.map(([phase, end]) => `removal-${phase}-${end}`),
      ...ends.map((end) => `removal-pacing-${end}`),
      ...ends.map((end) => `removal-waiting-${end}`),
    ];
    for (const name of names) {
      const world = new World(name);
      for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    opened = await openTestLedger();
    gated = gatedLedger(opened.ledger);
    house = await openWorldHouse(first, await temporalAddress(), {
      beside,
      clock: () => Date.now() + ahead,
      ledger: { ...opened, ledger: gated.ledger },
    });
  });
  afterAll(async () => {
    await house?.close();
    await opened?.close();
  });

  function scene(catalog: string) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const steps = stepsIn(house, { metalake: 'world', catalog });
    return { world, steps };
  }

  function stand({ world, steps }: ReturnType<typeof scene>, phase: Phase) {
    if ('step' in phase) return gated.hold(steps.catalog, phase.step, phase.at);
    const { pass, reached, open } = gate();
    if ('hook' in phase) {
      world[phase.hook] = () => {
        world[phase.hook] = undefined;
        return pass();
      };
      return { reached, open };
    }
    let times = 0;
    world.beforeAnswer = async (asked) => {
      if (asked !== phase.asked || ++times !== phase.times) return;
      world.beforeAnswer = undefined;
      await pass();
    };
    return { reached, open };
  }

  /** Ends the run of an id; hands back what waits until it has ended. By then another run may have that id. */
  async function endRun(workflowId: string, end: End): Promise<() => Promise<void>> {
    const { runId } = await house.client.workflow.getHandle(workflowId).describe();
    const handle = house.client.workflow.getHandle(workflowId, runId);
    if (end === 'terminate') await handle.terminate('a test');
    else await handle.cancel();
    const ended = async () => (await handle.describe()).status.name !== 'RUNNING';
    return () => until(`${workflowId} has ended`, patienceMs, ended);
  }

  test.concurrent.each(roundCases)('a round at %s: %s, and the next round goes on', async (phase, end) => {
    const at = scene(`round-${phase}-${end}`);
    const { world, steps } = at;
    await steps.round();
    world.drop(['sales', 't1']);
    const held = stand(at, roundPhases[phase]);
    const run = await steps.startRound();
    await held.reached;
    const ended = await endRun(run.workflowId, end);
    if (end === 'terminate') {
      await ended();
      // What of it still runs does so beside the next round, and neither moves a finding twice.
      const next = await steps.startRound();
      expect(next.joined).toBe(false);
      held.open();
      expect(await steps.endOf(next)).toMatchObject({ end: 'published', open: 1 });
    } else {
      held.open();
      await house.client.workflow
        .getHandle(run.workflowId, run.roundId)
        .result()
        .catch(() => undefined);
      expect(await steps.round()).toMatchObject({ end: 'published', open: 1 });
    }
    const rounds = await house.ledger.rounds.rounds(steps.catalog, { limit: 10 });
    const published = rounds.filter(({ state }) => state === 'published');
    expect(rounds.filter(({ state }) => state === 'running')).toEqual([]);
    // One miss for each published round that saw it missing; the first of all saw it there.
    expect((await steps.findingAt('sales/t1')).standing.misses).toBe(published.length - 1);
    expect(world.removals).toEqual([]);
    expect(world.registrations.size).toBe(31);
  });

  /** Rounds until what was dropped may go as soon as somebody approves it. */
  async function ripen({ world, steps }: ReturnType<typeof scene>): Promise<void> {
    await steps.round();
    for (const table of ['t1', 't2', 't3']) world.drop(['sales', table]);
    await steps.round();
    await steps.round();
  }

  async function comesBack({ steps }: ReturnType<typeof scene>, by: 'round' | 'decision'): Promise<void> {
    if (by === 'round') await steps.round();
    else expect(await steps.decide('sales/t3')).toMatchObject({ answer: 'accepted' });
  }

  async function expectRemovedOnce({ world, steps }: ReturnType<typeof scene>, ...tables: string[]): Promise<void> {
    const removed = () => world.removals.map(({ path }) => pathText(path)).sort();
    const paths = tables.map((table) => `sales/${table}`);
    await until(`${paths.join(', ')} are removed`, patienceMs, async () => {
      const ended = (await steps.removals()).filter(
        ({ outcome }) => outcome === 'removed' || outcome === 'already-gone',
      );
      return ended.length >= paths.length;
    });
    expect(removed()).toEqual(paths);
    const removals = await steps.removals();
    const outcomes = removals.filter(({ outcome }) => outcome !== 'abandoned').map(({ path }) => pathText(path));
    expect(outcomes.sort()).toEqual(paths);
    // One at a time: no intent was opened before the one before it was settled.
    const audit = await house.ledger.audit.page({ after: 0, limit: 500, catalog: steps.catalog });
    const order = audit
      .filter(({ action }) => action === 'intent-opened' || action === 'removal-settled')
      .map(({ action, subject }) => `${action} ${subject}`);
    const intents = order.filter((_, index) => index % 2 === 0).map((entry) => entry.split(' ')[1]);
    expect(order).toEqual(intents.flatMap((id) => [`intent-opened ${id}`, `removal-settled ${id}`]));
  }

  test.each(removalCases)('a review at %s: %s, and the next %s brings it back', async (phase, end, by) => {
    const at = scene(`removal-${phase}-${end}`);
    const { steps } = at;
    await ripen(at);
    await steps.decide('sales/t2');
    await until('t2 is removed', patienceMs, async () => (await steps.removals()).length === 1);
    const held = stand(at, removalPhases[phase]);
    const deciding = steps.decide('sales/t1').catch(() => undefined);
    await held.reached;
    const ended = await endRun(steps.reviewHandle().workflowId, end);
    // A decision that is under way is carried out before a review that was cancelled ends.
    if (phase === 'deciding') held.open();
    await ended();
    // Three seconds are left until somebody may look what became of a removal that was begun.
    ahead += 42_000;
    const back = comesBack(at, by);
    held.open();
    await Promise.all([back, deciding]);
    await expectRemovedOnce(at, 't1', 't2', ...(by === 'decision' ? ['t3'] : []));
  });

  test.each(ends)('a review that keeps its pace: %s, and the next round brings it back', async (end) => {
    const at = scene(`removal-pacing-${end}`);
    const { steps } = at;
    await house.policy({ removalsPerSecond: 0.5, removalBurst: 1 });
    await ripen(at);
    for (const table of ['t1', 't2']) await steps.decide(`sales/${table}`);
    await steps.outcomeAt('sales/t1');
    await (await endRun(steps.reviewHandle().workflowId, end))();
    await steps.round();
    await expectRemovedOnce(at, 't1', 't2');
    await house.policy();
  });

  test.each(ends)('a review that waits for a person: %s, and the decision brings it back', async (end) => {
    const at = scene(`removal-waiting-${end}`);
    await ripen(at);
    await (await endRun(at.steps.reviewHandle().workflowId, end))();
    await comesBack(at, 'decision');
    await expectRemovedOnce(at, 't3');
  });
});

import { Context } from '@temporalio/activity';
import { workflowTypes } from '../../src/contract/names.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { TestLedger } from '../support/ledger.ts';
import { until } from '../support/until.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { stepsIn } from '../support/world/world-steps.ts';
import type { Coverage } from './coverage.ts';
import type { Act, History, Interruption, Run, Step } from './history.ts';
import { Interruptions } from './interruptions.ts';
import { always } from './invariants/always.ts';
import { atRest } from './invariants/at-rest.ts';
import { catalogRows } from './ledger-rows.ts';
import { actAsPerson, ada, keyOf } from './people-acts.ts';
import { HistoryFailed } from './play.ts';
import { actAtRegistry } from './registry-acts.ts';
import { firstPolicy, intervalMs, Simulation } from './simulation.ts';
import { actAtSource, changesSource, clearUp } from './source-acts.ts';
import { type Theatre, watchedDeps } from './watched-deps.ts';
import { Witness } from './witness.ts';

/** A lost answer takes 45 s to be looked into, and what may be tried again waits for half a minute. */
const patienceMs = 180_000;

/**
 * Plays a history on the real workflows and workers of a Temporal server, by the machine's clock. A crash is a worker
 * that is stopped and started again; a termination is an operator's.
 */
export async function playOnTemporal(given: History, address: string, ledger: TestLedger, coverage: Coverage) {
  const history = inRealTime(given);
  const simulation = new Simulation(`t${Date.now().toString(36)}`, history.start, Date.now);
  const world = simulation.world(0);
  const theatre: Theatre = { simulation, ledger, witness: new Witness(), coverage };
  const scene: { house?: WorldHouse; restarting: Promise<void> } = { restarting: Promise.resolve() };
  const interruptions = new Interruptions([], {
    perform: async (what) => perform(theatre, scene.house, what),
    changesSource,
    saw: ({ what }) => coverage.saw('in the middle', what.do),
    end: (what) => {
      const { house } = scene;
      if (house === undefined) return;
      scene.restarting = scene.restarting.then(() => (what === 'crash' ? restart(house) : terminate(house)));
    },
  });
  const deps = watchedDeps(theatre, world, askingRound, interruptions, { dead: false });
  const house = await openWorldHouse(world, address, { ledger, deps });
  scene.house = house;
  try {
    await house.policy({ ...firstPolicy(history.start), removalsPerSecond: 50, removalBurst: 10 }, intervalMs);
    for (const [index, step] of history.steps.entries()) {
      coverage.saw('step', step.do);
      await take(theatre, house, interruptions, step);
      await scene.restarting;
      await check(theatre, index);
    }
    interruptions.arm([]);
    clearUp(simulation);
    await house.ledger.decisions.resume(keyOf(world), ada, Date.now());
    for (let round = 0; round < 2; round += 1) await playRound(theatre, house, false);
    await idle(theatre, house);
    await check(theatre, history.steps.length);
    atRest(theatre.witness, await catalogRows(ledger.db, keyOf(world)), Date.now(), history.start.exclusive);
    await check(theatre, history.steps.length);
  } finally {
    await house.close();
  }
}

/** The round whose activity is at work. */
function askingRound(): string | undefined {
  const { workflowType, workflowExecution } = Context.current().info;
  return workflowType === workflowTypes.reconcileRound ? workflowExecution?.runId : undefined;
}

async function take(theatre: Theatre, house: WorldHouse, interruptions: Interruptions, step: Step): Promise<void> {
  if (step.do !== 'round' && step.do !== 'review') return perform(theatre, house, step);
  await idle(theatre, house);
  interruptions.arm(step.during);
  if (step.do === 'round') await playRound(theatre, house, step.dry);
  else await house.gateway.wakeReview(house.name, 'a step of the history');
  await idle(theatre, house);
}

async function playRound({ coverage }: Theatre, house: WorldHouse, dry: boolean): Promise<void> {
  const steps = stepsIn(house);
  try {
    coverage.saw('round ended', (await steps.round({ dry })).end);
  } catch {
    coverage.saw('round ended', 'terminated');
  }
}

/** Until the removal loop has nothing to do and nothing is under way. */
async function idle({ simulation }: Theatre, house: WorldHouse): Promise<void> {
  const key = keyOf(simulation.world(0));
  const next = async () => (await house.ledger.removals.next(key, Date.now())).step;
  if ((await next()) === 'done') return;
  await house.gateway.wakeReview(house.name, 'is anything left?');
  await until(`nothing is left to do in ${key}`, patienceMs, async () => ['wait', 'done'].includes(await next()), 100);
}

async function perform(theatre: Theatre, house: WorldHouse | undefined, what: Act | Run): Promise<void> {
  const { simulation, witness, coverage } = theatre;
  if (what.do === 'round' || what.do === 'review' || house === undefined) return;
  if (actAtSource(simulation, what) || actAtRegistry(simulation, what)) return;
  await actAsPerson({ simulation, ledger: deciding(house), witness, coverage }, what);
  await house.gateway.wakeReview(house.name, what.do);
}

/** The ledger, except that people decide by the review's update. */
function deciding({ ledger, gateway, name }: WorldHouse): Ledger {
  return {
    ...ledger,
    decisions: {
      ...ledger.decisions,
      async decide({ items, actor, requestKey, notAfter }) {
        const sent = await gateway.decide(name, { items, actor, requestKey, notAfter });
        if (sent.status === 'sent') throw new Error('a decision was sent and not answered');
        return sent.result.answers;
      },
    },
  };
}

async function restart(house: WorldHouse): Promise<void> {
  await house.stopWorker();
  await house.startWorker();
}

async function terminate(house: WorldHouse): Promise<void> {
  const steps = stepsIn(house);
  for (const handle of [steps.roundHandle(), steps.reviewHandle()])
    await handle.terminate('an operator').catch(() => undefined); // one of them may not run
}

async function check({ simulation, ledger, witness }: Theatre, step: number): Promise<void> {
  const world = simulation.world(0);
  always(witness, keyOf(world), world, await catalogRows(ledger.db, keyOf(world)));
  if (witness.violations.length > 0) throw new HistoryFailed(witness.violations, step);
}

/** Without what takes hours, or half a minute each time. */
function inRealTime({ start, steps }: History): History {
  const isQuick = ({ do: does, ...rest }: Act | Run | Interruption['what']): boolean =>
    does !== 'clock' &&
    does !== 'round' &&
    does !== 'review' &&
    (!('mood' in rest) || ['refuses', 'says-done', 'says-refused'].includes(rest.mood));
  return {
    start: {
      ...start,
      twoCatalogs: false,
      exclusive: false,
      policy: { ...start.policy, graceHours: 0, minimumAgeHours: 0 },
    },
    steps: steps.flatMap((step): readonly Step[] => {
      if (step.do === 'round' || step.do === 'review')
        return [{ ...step, during: step.during.filter(({ what }) => isQuick(what)) }];
      if (step.do === 'policy') {
        const { graceHours: _grace, minimumAgeHours: _age, approvalHours: _ttl, ...change } = step.change;
        return Object.keys(change).length === 0 ? [] : [{ ...step, change }];
      }
      return isQuick(step) ? [step] : [];
    }),
  };
}

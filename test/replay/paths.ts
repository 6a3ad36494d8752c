import type { History } from '@temporalio/common/lib/proto-utils.js';
import {
  queries,
  reconcileQueue,
  reviewWorkflowId,
  roundWorkflowId,
  scanWorkflowId,
  signals,
  tickWorkflowId,
  workflowTypes,
} from '../../src/contract/names.ts';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import type { Policy } from '../../src/domain/policy.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { ada, gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

export interface Recorded {
  readonly workflowId: string;
  readonly history: History;
}

type Steps = ReturnType<typeof stepsIn>;
type Kind = 'round' | 'scan' | 'tick' | 'review';

interface Scene {
  readonly world: World;
  readonly house: WorldHouse;
  readonly steps: Steps;
  /** Lets the activities' clock run ahead of the machine's. */
  readonly leap: (ms: number) => void;
}

const ids = { round: roundWorkflowId, scan: scanWorkflowId, tick: tickWorkflowId, review: reviewWorkflowId };

/** A path: what happens in a small world, and the workflow whose history tells of it. */
function path(kind: Kind, play: (scene: Scene) => Promise<string | void>, policy: Partial<Policy> = {}) {
  return async (address: string): Promise<Recorded> => {
    let ahead = 0;
    const world = new World('shop');
    for (const table of ['a', 'b', 'c', 'd']) world.add(['sales', table]);
    const house = await openWorldHouse(world, address, { clock: () => Date.now() + ahead });
    try {
      // Due times are announced an interval ahead: a short one, so that nobody waits for them.
      await house.policy(policy, 1);
      const leap = (ms: number): void => void (ahead += ms);
      const runId = await play({ world, house, steps: stepsIn(house), leap });
      const workflowId = ids[kind](house.name);
      const handle = house.client.workflow.getHandle(workflowId, runId ?? undefined);
      return { workflowId, history: await handle.fetchHistory() };
    } finally {
      await house.close();
    }
  };
}

/** Two rounds after the object went: what is needed until an approval is carried out. */
async function untilRipe({ world, steps }: Scene, table = 'a'): Promise<void> {
  await steps.round();
  world.drop(['sales', table]);
  await steps.round();
  await steps.round();
}

const reviewEnds = ({ steps }: Scene): Promise<unknown> => steps.reviewHandle().result();
/** A registration that somebody drops closes its finding, and with the last one the review ends. */
async function dropRegistration(scene: Scene): Promise<void> {
  const { world, steps, house } = scene;
  world.registrations.delete(world.at(['sales', 'a'])?.id ?? '');
  world.drops.push(house.now());
  await steps.round();
  await house.gateway.wakeReview(house.name, 'nothing is left');
  await reviewEnds(scene);
}

function startTick({ house }: Scene): Promise<unknown> {
  return house.client.workflow.execute(workflowTypes.roundTick, {
    workflowId: tickWorkflowId(house.name),
    taskQueue: reconcileQueue,
    args: [{ v: 1, ...house.name, intervalMs: 3_600_000 }],
  });
}

/** Every way through the workflows, by the name of its history. */
export const paths: Readonly<Record<string, (address: string) => Promise<Recorded>>> = {
  'round-with-findings': path('round', async ({ world, steps }) => {
    await steps.round();
    world.drop(['sales', 'a']);
    await steps.round();
  }),
  'round-that-wakes-a-review': path('round', async (scene) => {
    await untilRipe(scene);
  }),
  'round-nothing-stale': path('round', async ({ steps }) => {
    await steps.round();
    await steps.round();
  }),
  'round-held': path('round', async ({ world, steps }) => {
    await steps.round();
    world.drop(['sales']);
    await steps.round();
  }),
  'round-unreachable': path('round', async ({ world, steps }) => {
    await steps.round();
    world.sourceFault = new ReconcilerFailure('SourceAccessDenied', '28P01', 'the source refuses the password');
    await steps.round();
  }),
  'round-unreachable-after-retries': path('round', async ({ world, steps }) => {
    await steps.round();
    world.sourceFault = new ReconcilerFailure('SourceUnreachable', 'ECONNREFUSED', 'nobody listens there');
    await steps.round();
  }),
  'round-lost-while-probing': path('round', async ({ world, steps }) => {
    for (let table = 0; table < 2_200; table += 1) world.add(['many', `t${table}`]);
    world.beforeAnswer = async (asked) => {
      if (asked === 'probe') throw new ReconcilerFailure('SourceAccessDenied', '42501', 'no right to look');
    };
    await steps.round();
  }),
  'round-lost-at-the-second-check': path('round', async ({ world, steps }) => {
    let checks = 0;
    world.beforeAnswer = async (asked) => {
      if (asked === 'check' && ++checks === 2) throw new ReconcilerFailure('SourceAccessDenied', '28P01', 'changed');
    };
    await steps.round();
  }),
  'round-incomplete': path('round', async ({ world, steps }) => {
    world.miscounted = 1;
    await steps.round();
  }),
  'round-source-changed': path('round', async ({ world, steps }) => {
    await steps.round();
    world.fingerprint = 'world-2';
    await steps.round();
  }),
  'round-never-opened': path('round', async ({ house }) => {
    const name = { ...house.name, catalog: 'nowhere' };
    const run = await house.client.workflow.start(workflowTypes.reconcileRound, {
      workflowId: roundWorkflowId(house.name),
      taskQueue: reconcileQueue,
      args: [{ v: 1, ...name, dry: false, trigger: 'request', requestedBy: ada }],
    });
    await run.result().catch(() => undefined);
  }),
  'round-cancelled': path('round', async ({ world, steps }) => {
    const held = gate();
    world.beforeAnswer = held.pass;
    await steps.startRound();
    await held.reached;
    await steps.roundHandle().cancel();
    world.beforeAnswer = undefined;
    held.open();
    await steps
      .roundHandle()
      .result()
      .catch(() => undefined);
  }),
  'dry-scan': path('scan', async ({ world, steps }) => {
    world.drop(['sales', 'a']);
    await steps.round({ dry: true });
  }),
  'tick-started': path('tick', async (scene) => void (await startTick(scene))),
  'tick-while-a-round-runs': path('tick', async (scene) => {
    const { world, steps } = scene;
    const held = gate();
    world.beforeAnswer = held.pass;
    const run = await steps.startRound();
    await held.reached;
    await startTick(scene);
    held.open();
    await steps.endOf(run);
  }),

  'review-approved-and-removed': path('review', async (scene) => {
    await untilRipe(scene);
    await scene.steps.decide('sales/a');
    await reviewEnds(scene);
  }),
  'review-approved-early': path('review', async (scene) => {
    const { world, steps } = scene;
    await steps.round();
    world.drop(['sales', 'a']);
    await steps.round();
    await steps.decide('sales/a');
    await steps.round();
    await reviewEnds(scene);
  }),
  'review-paced': path(
    'review',
    async (scene) => {
      const { world, steps } = scene;
      await steps.round();
      for (const table of ['a', 'b', 'c']) world.drop(['sales', table]);
      await steps.round();
      await steps.round();
      for (const table of ['a', 'b', 'c']) await steps.decide(`sales/${table}`);
      await reviewEnds(scene);
    },
    { removalsPerSecond: 1, removalBurst: 1 },
  ),
  'review-auto-remove': path(
    'review',
    async (scene) => {
      await untilRipe(scene);
      await scene.steps.round();
      await reviewEnds(scene);
    },
    { mode: 'auto-remove', approveAttended: false },
  ),
  'review-refused-by-the-registry': path('review', async (scene) => {
    await untilRipe(scene);
    scene.world.refusal = 'somebody holds a lock';
    await scene.steps.decide('sales/a');
    await scene.steps.outcomeAt('sales/a');
    await dropRegistration(scene);
  }),
  'review-object-came-back': path('review', async (scene) => {
    await untilRipe(scene);
    scene.world.create(['sales', 'a']);
    await scene.steps.decide('sales/a');
    await scene.steps.outcomeAt('sales/a');
    await dropRegistration(scene);
  }),
  'review-rejected': path('review', async (scene) => {
    await untilRipe(scene);
    await scene.steps.decide('sales/a', 'reject');
    await dropRegistration(scene);
  }),
  'review-approved-by-signal': path('review', async (scene) => {
    const { steps } = scene;
    await untilRipe(scene);
    const { id, digest } = await steps.findingAt('sales/a');
    await steps.reviewHandle().signal(signals.approve, { items: 'none' });
    await steps
      .reviewHandle()
      .signal(signals.approve, { items: [{ findingId: id, digest }], actor: 'bob', reason: 'gone' });
    await reviewEnds(scene);
  }),
  'review-repointed': path('review', async (scene) => {
    const { world, steps } = scene;
    await steps.round();
    world.rename(['sales', 'a'], ['sales', 'orders']);
    await steps.round();
    await steps.decide('sales/a', 'repoint');
    await reviewEnds(scene);
  }),
  'review-restored': path('review', async (scene) => {
    const { steps, house } = scene;
    await untilRipe(scene);
    await steps.decide('sales/a');
    const { id } = await steps.outcomeAt('sales/a');
    await reviewEnds(scene);
    const wish = { id: 'wish', catalog: steps.catalog, removal: id, actor: ada, canRestore: true, now: house.now() };
    await house.ledger.restores.request(wish);
    await house.gateway.wakeReview(house.name, 'restore');
    await reviewEnds(scene);
  }),
  'review-outcome-unknown': path('review', async (scene) => {
    const { world, steps, leap } = scene;
    await untilRipe(scene);
    world.afterRemove = async () => {
      world.afterRemove = undefined;
      leap(44_000); // so that a second is left until one may look
      throw new Error('the connection broke');
    };
    await steps.decide('sales/a');
    await reviewEnds(scene);
  }),
  'review-removal-timed-out': path('review', async (scene) => {
    const { world, steps, leap } = scene;
    await untilRipe(scene);
    const never = gate();
    world.afterRemove = never.pass;
    await steps.decide('sales/a');
    await never.reached;
    leap(60_000);
    // Two minutes until Temporal gives the activity up: recorded once, and the only way to see that event.
    await steps.reviewHandle().result();
    never.open();
  }),
  'review-source-lost-at-the-last-look': path('review', async (scene) => {
    const { world, steps } = scene;
    await untilRipe(scene);
    world.sourceFault = new ReconcilerFailure('SourceAccessDenied', '28P01', 'the source refuses the password');
    await steps.decide('sales/a');
    await steps.outcomeAt('sales/a');
    world.sourceFault = undefined;
    await steps.round();
    await reviewEnds(scene);
  }),
  'review-continued-as-new': path('review', async (scene) => {
    const { steps } = scene;
    await untilRipe(scene);
    const { runId } = await steps.reviewHandle().describe();
    for (let wake = 0; wake <= 500; wake += 1) await steps.reviewHandle().signal(signals.wake, { why: 'a test' });
    await until('another run goes on', patienceMs, async () => (await steps.reviewHandle().describe()).runId !== runId);
    return runId;
  }),
  'review-after-continuing': path('review', async (scene) => {
    const { steps } = scene;
    await untilRipe(scene);
    const { runId } = await steps.reviewHandle().describe();
    for (let wake = 0; wake <= 500; wake += 1) await steps.reviewHandle().signal(signals.wake, { why: 'a test' });
    await until('another run goes on', patienceMs, async () => (await steps.reviewHandle().describe()).runId !== runId);
    await steps.decide('sales/a');
    await reviewEnds(scene);
  }),
  'review-nothing-left': path('review', async (scene) => {
    await untilRipe(scene);
    await scene.steps.reviewHandle().query(queries.staleReport);
    await dropRegistration(scene);
  }),
  'review-cancelled': path('review', async (scene) => {
    await untilRipe(scene);
    await scene.steps.reviewHandle().cancel();
    await reviewEnds(scene).catch(() => undefined);
  }),
  'review-begun-with-approvals': path('review', async (scene) => {
    const { house, steps } = scene;
    await untilRipe(scene);
    const { id, digest } = await steps.findingAt('sales/a');
    await steps.reviewHandle().terminate('a test');
    const approval = {
      items: [{ findingId: id, digest, action: 'approve' }],
      actor: ada,
      requestKey: 'signalled while the run before renewed itself',
      notAfter: house.now() + 60_000,
    };
    await house.client.workflow.execute(workflowTypes.catalogReview, {
      workflowId: reviewWorkflowId(house.name),
      taskQueue: reconcileQueue,
      args: [{ v: 1, ...house.name, approvals: [approval] }],
    });
  }),
  'review-that-finds-an-intent-open': path('review', async (scene) => {
    const { world, steps, leap } = scene;
    await untilRipe(scene);
    const held = gate();
    world.beforeRemove = held.pass;
    await steps.decide('sales/a');
    await held.reached;
    world.beforeRemove = undefined;
    await steps.reviewHandle().terminate('a test');
    leap(44_000); // so that a second is left until one may look
    await steps.round();
    held.open();
    await reviewEnds(scene);
  }),
  'review-terminated': path('review', async (scene) => {
    await untilRipe(scene);
    await scene.steps.reviewHandle().terminate('a test');
  }),
};

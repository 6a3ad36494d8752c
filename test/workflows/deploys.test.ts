import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { alteredWorkflows } from '../support/world/altered-workflows.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, workflowBundle, type WorldHouse } from '../support/world/world-house.ts';
import { gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

/** A later release: a round looks at its source once more before it lists, and a review rests before each removal. */
const alterations = [
  {
    file: 'reconcile-round.ts',
    from: 'import {\n  CancellationScope,',
    to: 'import {\n  patched,\n  CancellationScope,',
  },
  {
    file: 'reconcile-round.ts',
    from: "    phase('listing');\n",
    to: "    if (patched('look-twice')) await checkCatalog(at);\n    phase('listing');\n",
  },
  { file: 'catalog-review.ts', from: '  proxyActivities,\n', to: '  patched,\n  proxyActivities,\n' },
  {
    file: 'catalog-review.ts',
    from: '        await pauseFor(pace);\n',
    to: "        if (patched('rest-first')) await sleep(1);\n        await pauseFor(pace);\n",
  },
] as const;

describe('a changed workflow beside old runs', { timeout: 120_000 }, () => {
  let house: WorldHouse;
  let later: WorkflowBundleOption;
  const [world, reviewed] = [new World('deployed'), new World('reviewed')];
  beforeAll(async () => {
    for (const each of [world, reviewed]) {
      for (let table = 0; table < 30; table += 1) each.add(['sales', `t${table}`]);
    }
    later = await alteredWorkflows(alterations);
    house = await openWorldHouse(world, await temporalAddress(), { beside: [reviewed] });
  });
  afterAll(() => house?.close());

  const historyOf = (workflowId: string, runId?: string) =>
    house.client.workflow.getHandle(workflowId, runId).fetchHistory();
  type History = Awaited<ReturnType<typeof historyOf>>;
  const hasMarker = ({ events }: History): boolean =>
    (events ?? []).some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch');
  const calls = ({ events }: History, name: string): number =>
    (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === name).length;
  const replay = (bundle: WorkflowBundleOption, history: History, workflowId: string) =>
    Worker.runReplayHistory({ workflowBundle: bundle }, history, workflowId);

  test('a round that began before the deploy ends after it as it began, and the next one is of the new kind', async () => {
    const steps = stepsIn(house);
    const held = gate();
    world.beforeAnswer = (asked) => (asked === 'probe' ? held.pass() : Promise.resolve());
    const old = await steps.startRound();
    await held.reached;
    const leaving = house.stopWorker();
    world.beforeAnswer = undefined;
    held.open();
    await leaving;
    await house.startWorker(later);
    expect(await steps.endOf(old)).toMatchObject({ end: 'published' });
    const next = await steps.startRound();
    expect(await steps.endOf(next)).toMatchObject({ end: 'published' });

    const [before, after] = await Promise.all([
      historyOf(old.workflowId, old.roundId),
      historyOf(next.workflowId, next.roundId),
    ]);
    expect([hasMarker(before), calls(before, 'checkCatalog')]).toEqual([false, 2]);
    expect([hasMarker(after), calls(after, 'checkCatalog')]).toEqual([true, 3]);
    // Both can be replayed by the new workflows; the new one by the old workflows cannot, so the change was one.
    await replay(later, before, old.workflowId);
    await replay(later, after, next.workflowId);
    await expect(replay(await workflowBundle(), after, next.workflowId)).rejects.toBeInstanceOf(
      DeterminismViolationError,
    );
  });

  test('a review that waited through the deploy takes the next decision, and removes in the new way', async () => {
    const steps = stepsIn(house, { metalake: 'world', catalog: 'reviewed' });
    await house.stopWorker();
    await house.startWorker();
    await steps.round();
    for (const table of ['t1', 't2']) reviewed.drop(['sales', table]);
    await steps.round();
    await steps.round();
    await steps.decide('sales/t1');
    await steps.outcomeAt('sales/t1');
    const { runId } = await steps.reviewHandle().describe();
    await house.stopWorker();
    await house.startWorker(later);
    await steps.decide('sales/t2');
    await steps.outcomeAt('sales/t2');
    expect(reviewed.removals.map(({ path }) => path[1])).toEqual(['t1', 't2']);
    const run = house.client.workflow.getHandle(steps.reviewHandle().workflowId, runId);
    await until('it has ended', patienceMs, async () => (await run.describe()).status.name === 'COMPLETED');
    const history = await historyOf(run.workflowId, runId);
    expect([hasMarker(history), calls(history, 'removeRegistration')]).toEqual([true, 2]);
    await replay(later, history, run.workflowId);
  });
});

import type { Duration } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { reconcileQueue, removalsQueue } from '../contract/names.ts';

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly bundle: WorkflowBundleOption;
  readonly reconcileActivities: object;
  readonly removalActivities: object;
  readonly leave: Leave;
}

/** The two workers of one process, as one thing that runs until it is told to stop. */
export interface Workers {
  /** Settles when both have stopped; rejects when one failed. */
  readonly stopped: Promise<void>;
  /** Lets what runs come to an end, within the grace time. */
  stop(): void;
}

/** How a worker ends: how long what runs may take to finish, and when it is given up. */
export interface Leave {
  readonly shutdownGraceTime: Duration;
  readonly shutdownForceTime: Duration;
}

/**
 * Longer than the longest act that must not be cut off: the registry's 15 s for one removal. Orchestrators should wait
 * about 10 s more before they kill.
 */
export const unhurried: Leave = { shutdownGraceTime: '20 seconds', shutdownForceTime: '25 seconds' };

/** For a person at a terminal. A removal that is cut off leaves its intent open, and the next start looks. */
export const prompt: Leave = { shutdownGraceTime: '3 seconds', shutdownForceTime: '4 seconds' };

/** More would only queue up at the sources, each of which bounds its own questions. */
const activitiesAtOnce = 20;

/** Ceiling of the whole queue; each catalog's review keeps its own, lower pace. */
const removalsPerSecondCeiling = 50;

/**
 * Rounds and reviews on one queue; removals on a queue and a worker of their own, so that no scan stands in their way.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace } = options;
  const common = {
    connection,
    namespace,
    ...options.leave,
    maxHeartbeatThrottleInterval: '10 seconds', // cancellation reaches an activity with its beats
  } as const;
  const reconcile = await Worker.create({
    ...common,
    taskQueue: reconcileQueue,
    workflowBundle: options.bundle,
    activities: options.reconcileActivities,
    maxConcurrentActivityTaskExecutions: activitiesAtOnce,
  });
  const removals = await Worker.create({
    ...common,
    taskQueue: removalsQueue,
    activities: options.removalActivities,
    maxConcurrentActivityTaskExecutions: activitiesAtOnce,
    maxTaskQueueActivitiesPerSecond: removalsPerSecondCeiling,
  });
  const workers = [reconcile, removals];
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const running = workers.map((worker) => worker.run());
  // One that fails takes the other with it: half a worker would look alive and do half the work.
  for (const run of running) run.catch(stop);
  const stopped = Promise.allSettled(running).then((ends) => {
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
  return { stopped, stop };
}

import { Context, type Info } from '@temporalio/activity';
import { checkCatalog } from './check-catalog.ts';
import { classifyFailure } from './classify-failure.ts';
import { beating } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { endRound, publishRound, tidyCatalog } from './end-round.ts';
import { judgeRound } from './judge-round.ts';
import { openRound } from './open-round.ts';
import { probeRange } from './probe-range.ts';
import { removeRegistration } from './remove-registration.ts';
import { repointRegistration } from './repoint-registration.ts';
import { restoreRegistration } from './restore-registration.ts';
import { nextStep, recordDecisions } from './review-steps.ts';
import { settleIdentities } from './settle-identities.ts';
import { settleIntent } from './settle-intent.ts';
import { snapshotRegistrations } from './snapshot-registrations.ts';

const reconcileActivities = {
  openRound,
  checkCatalog,
  snapshotRegistrations,
  probeRange,
  settleIdentities,
  judgeRound,
  publishRound,
  endRound,
  tidyCatalog,
  nextStep,
  recordDecisions,
  settleIntent,
};

const removalActivities = { removeRegistration, repointRegistration, restoreRegistration };

type Bound<T extends Record<string, (deps: ActivityDeps, input: never) => Promise<unknown>>> = {
  readonly [Name in keyof T]: (input: Parameters<T[Name]>[1]) => ReturnType<T[Name]>;
};

/** Activities of the queue `reconcile`. */
export type ReconcileActivities = Bound<typeof reconcileActivities>;
/** Activities of the queue `removals`. */
export type RemovalActivities = Bound<typeof removalActivities>;

/** Gives each activity its dependencies, and every error that leaves one its place in the failure table. */
function bind<T extends Record<string, (deps: ActivityDeps, input: never) => Promise<unknown>>>(
  activities: T,
  deps: ActivityDeps,
): Bound<T> {
  const bound = Object.entries(activities).map(([name, run]) => [
    name,
    async (input: never) => {
      deps.waited?.(waitOf(Context.current().info));
      try {
        return await beating(() => run(deps, input));
      } catch (error) {
        throw classifyFailure(error, Context.current().info.attempt);
      }
    },
  ]);
  return Object.fromEntries(bound) as Bound<T>;
}

/** Never below zero, though the server's clock may be ahead of ours. */
function waitOf({ taskQueue, activityType, currentAttemptScheduledTimestampMs }: Info) {
  const waitedMs = Math.max(0, Date.now() - currentAttemptScheduledTimestampMs);
  return { queue: taskQueue, activity: activityType, seconds: waitedMs / 1_000 };
}

export function createReconcileActivities(deps: ActivityDeps): ReconcileActivities {
  return bind(reconcileActivities, deps);
}

export function createRemovalActivities(deps: ActivityDeps): RemovalActivities {
  return bind(removalActivities, deps);
}

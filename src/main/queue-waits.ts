import type { ActivityDeps } from '../activities/deps.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Measures how long activities wait for a worker: of the queues, the place where too few workers show first. */
export function queueWaits(metrics: Metrics): NonNullable<ActivityDeps['waited']> {
  return ({ queue, activity, seconds }) => metrics.queueWait.record({ queue, activity }, seconds);
}

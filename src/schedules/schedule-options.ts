import { reconcileQueue, searchAttributes, tickWorkflowId, workflowTypes } from '../contract/names.ts';
import type { Wanted } from './desired.ts';

/** A wanted schedule in Temporal's words, all but its id and its state. */
export function scheduleOptions({ name, times, jitterMs, catchupWindowMs, tick, digest }: Wanted) {
  const title = `${name.metalake}/${name.catalog}`;
  const typedSearchAttributes = [{ key: searchAttributes.catalogId, value: title }];
  return {
    spec:
      'cron' in times
        ? { cronExpressions: [times.cron], timezone: 'UTC', jitter: jitterMs }
        : { intervals: [{ every: times.everyMs, offset: times.offsetMs }], jitter: jitterMs },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflowTypes.roundTick,
      workflowId: tickWorkflowId(name),
      taskQueue: reconcileQueue,
      args: [tick],
      // here and not in the memo of the schedule: that one cannot be changed once the schedule exists
      memo: { [digestKey]: digest },
      staticSummary: `Starts a round of ${title}`,
      typedSearchAttributes,
    },
    policies: { overlap: 'SKIP' as const, catchupWindow: catchupWindowMs },
    typedSearchAttributes,
  };
}

/** Reads back what {@link scheduleOptions} left there. */
export function digestOf(memo: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const digest = memo?.[digestKey];
  return typeof digest === 'string' ? digest : undefined;
}

const digestKey = 'scheduleDigest';

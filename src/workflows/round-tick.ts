import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, workflowInfo, WorkflowIdReusePolicy } from '@temporalio/workflow';
import { reconcileQueue, roundWorkflowId, searchAttributes } from '../contract/names.ts';
import type { RoundInput, TickInput } from '../contract/round-messages.ts';
import { reconciler } from '../domain/actor.ts';
import { reconcileRound } from './reconcile-round.ts';

/**
 * What a schedule starts. The server gives scheduled runs ids of its own, so the tick starts the round under the
 * catalog's fixed id and ends; a round that still runs is left alone.
 */
export async function roundTick(input: TickInput): Promise<{ readonly started: boolean }> {
  const { metalake, catalog, intervalMs } = input;
  const nominal = workflowInfo().searchAttributes['TemporalScheduledStartTime']?.[0];
  const round: RoundInput = {
    v: 1,
    metalake,
    catalog,
    dry: false,
    trigger: 'schedule',
    requestedBy: reconciler,
    intervalMs,
    ...(nominal instanceof Date ? { nominalAt: nominal.getTime() } : {}),
  };
  try {
    await startChild(reconcileRound, {
      workflowId: roundWorkflowId(input),
      taskQueue: reconcileQueue,
      args: [round],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      typedSearchAttributes: [{ key: searchAttributes.catalogId, value: `${metalake}/${catalog}` }],
      staticSummary: `Round of ${metalake}/${catalog}, by schedule`,
    });
    return { started: true };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { started: false };
    throw error;
  }
}

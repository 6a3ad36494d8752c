import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/common';
import type { Gateway, RoundRun } from '../api/gateway.ts';
import { GatewayUnavailable } from '../contract/gateway-unavailable.ts';
import {
  type CatalogName,
  queries,
  reconcileQueue,
  reviewWorkflowId,
  roundWorkflowId,
  scanWorkflowId,
  searchAttributes,
  signals,
  updates,
  workflowTypes,
} from '../contract/names.ts';
import {
  type DecideMessage,
  type DecideResult,
  decideRefusals,
  type ReviewInput,
} from '../contract/review-messages.ts';
import type { RoundInput, RoundReport, RoundResult } from '../contract/round-messages.ts';
import { grpcCodes } from './grpc-codes.ts';
import { pollersOf } from './task-queue.ts';
import type { catalogReview } from '../workflows/catalog-review.ts';
import type { reconcileRound } from '../workflows/reconcile-round.ts';

/** Starts, pings and signals are quick; past this, Temporal is away as far as a caller is concerned. */
const callTimeoutMs = 5_000;
/** A query needs a worker and hangs without one; the ledger answers instead. */
const queryTimeoutMs = 2_000;
/** A decision of a thousand items takes seconds; what lasts longer is answered with its id. */
const decideTimeoutMs = 20_000;
/** A review that renews itself is back within a workflow task. */
const renewingPauseMs = 100;

const { notFound, permissionDenied, failedPrecondition, aborted, unimplemented } = grpcCodes;
/** The server does not tell of the queue. */
const doesNotSay: readonly number[] = [notFound, permissionDenied, unimplemented];

/** A worker that has just started is known to the server a moment later. */
const looksForWorker = 4;
const workerPauseMs = 500;
const noWorker = `No worker asks the queue ${reconcileQueue} for work, so nothing was sent.`;

const emptyTotals = { registrations: 0, eligible: 0, probed: 0, verdicts: {} };

/** The API's door to running workflows. */
export function createGateway(client: Client): Gateway {
  const { workflow } = client;
  const within = <T>(timeoutMs: number, call: () => Promise<T>): Promise<T> =>
    client.withDeadline(Date.now() + timeoutMs, call);

  /**
   * What nobody would take up is not sent: the server knows who asked the queue for work within the last minutes. Where it
   * does not say, what is sent is answered with its id, as ever.
   */
  const refuseWithoutWorker = async (): Promise<void> => {
    const { namespace } = client.options;
    const pollers = async () => {
      try {
        return await within(callTimeoutMs, () =>
          pollersOf(client.workflowService, namespace, reconcileQueue, 'workflow'),
        );
      } catch (error) {
        if (isGrpcServiceError(error) && doesNotSay.includes(error.code)) return undefined;
        throw unavailable(error);
      }
    };
    for (let look = 1; (await pollers())?.length === 0; look += 1) {
      if (look === looksForWorker) throw new GatewayUnavailable(noWorker, { missing: 'worker' });
      await pause(workerPauseMs);
    }
  };

  const start = (name: CatalogName, input: RoundInput, request: string) =>
    within(callTimeoutMs, async () => {
      const handle = await workflow.start<typeof reconcileRound>(workflowTypes.reconcileRound, {
        workflowId: input.dry ? scanWorkflowId(name) : roundWorkflowId(name),
        taskQueue: reconcileQueue,
        args: [input],
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        // Tells whether the run is the one asked for here: starting does not.
        memo: { request },
        typedSearchAttributes: catalogAttribute(name),
        staticSummary: `${input.dry ? 'Dry scan' : 'Round'} of ${name.metalake}/${name.catalog}, asked for by ${input.requestedBy.name}`,
      });
      const { firstExecutionRunId: roundId, workflowId } = handle;
      const { memo } = await workflow.getHandle(workflowId, roundId).describe();
      return { roundId, workflowId, joined: memo?.['request'] !== request };
    });
  const review = (name: CatalogName) => ({
    workflowId: reviewWorkflowId(name),
    taskQueue: reconcileQueue,
    args: [{ v: 1, metalake: name.metalake, catalog: name.catalog }] as [ReviewInput],
    typedSearchAttributes: catalogAttribute(name),
    staticSummary: `Review of ${name.metalake}/${name.catalog}: decisions and removals`,
  });

  return {
    async startRound(name, { dry, actor }): Promise<RoundRun> {
      const { metalake, catalog } = name;
      const input: RoundInput = { v: 1, metalake, catalog, dry, trigger: 'request', requestedBy: actor };
      await refuseWithoutWorker();
      return sending(() => start(name, input, randomUUID()));
    },

    async awaitRound({ workflowId, roundId }, waitMs): Promise<RoundResult | undefined> {
      try {
        return await within(Math.max(1, waitMs), () =>
          workflow.getHandle<typeof reconcileRound>(workflowId, roundId).result(),
        );
      } catch (error) {
        if (isGrpcDeadlineError(error)) return undefined;
        if (error instanceof WorkflowFailedError) return failedRound(roundId, error);
        throw unavailable(error);
      }
    },

    async liveReport(name, { dry }): Promise<RoundReport | undefined> {
      try {
        const workflowId = dry ? scanWorkflowId(name) : roundWorkflowId(name);
        return await within(queryTimeoutMs, () => workflow.getHandle(workflowId).query<RoundReport>(queries.report));
      } catch {
        return undefined; // the ledger knows what there is to know without it
      }
    },

    async decide(name, message: DecideMessage) {
      const updateId = message.requestKey;
      await refuseWithoutWorker();
      const deadline = Date.now() + decideTimeoutMs;
      return sending(async () => {
        for (;;) {
          try {
            const result = await client.withDeadline(deadline, () =>
              workflow.executeUpdateWithStart<typeof catalogReview, DecideResult, [DecideMessage]>(updates.decide, {
                updateId,
                args: [message],
                startWorkflowOperation: new WithStartWorkflowOperation<typeof catalogReview>(
                  workflowTypes.catalogReview,
                  {
                    ...review(name),
                    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
                  },
                ),
              }),
            );
            return { status: 'answered', result } as const;
          } catch (error) {
            // It may have arrived and may still be carried out, up to its notAfter.
            if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) {
              return { status: 'sent', updateId } as const;
            }
            if (Date.now() >= deadline || !isBetweenRuns(error)) throw error;
            await pause(renewingPauseMs);
          }
        }
      });
    },

    async wakeReview(name, why) {
      await sending(() =>
        within(callTimeoutMs, () =>
          workflow.signalWithStart(workflowTypes.catalogReview, {
            ...review(name),
            signal: signals.wake,
            signalArgs: [{ why }],
          }),
        ),
      );
    },

    async ping() {
      await sending(() => within(callTimeoutMs, () => client.workflowService.getSystemInfo({})));
    },
  };
}

function catalogAttribute({ metalake, catalog }: CatalogName) {
  return [{ key: searchAttributes.catalogId, value: `${metalake}/${catalog}` }];
}

/**
 * The review is about to renew itself, or ended while the update was on its way: the next run takes it. Safe to send again
 * in any case, since a key decides once.
 */
function isBetweenRuns(error: unknown): boolean {
  // The server gave up the task that carried the update, as when a signal came in just as the review renewed itself.
  if (isGrpcServiceError(error) && (error.code === failedPrecondition || error.code === aborted)) return true;
  if (error instanceof WorkflowUpdateFailedError) {
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type === decideRefusals.renewing) return true;
    return cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
  }
  return error instanceof WorkflowNotFoundError;
}

/** A round that failed before it could record anything: the failure is its result. */
function failedRound(roundId: string, { cause }: WorkflowFailedError): RoundResult {
  const root = rootOf(cause);
  const type = root instanceof ApplicationFailure ? (root.type ?? 'Internal') : 'Internal';
  const cancelled = root instanceof CancelledFailure;
  return {
    roundId,
    end: cancelled ? 'cancelled' : 'failed',
    totals: emptyTotals,
    open: 0,
    due: 0,
    hold: [],
    reason: {
      type: cancelled ? 'Cancelled' : type,
      code: type,
      message: root?.message ?? 'The round was ended from outside.',
    },
  };
}

function rootOf(error: Error | undefined): Error | undefined {
  const { cause } = error ?? {};
  return cause instanceof Error ? rootOf(cause) : error;
}

async function sending<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): unknown {
  const away = isGrpcDeadlineError(error) || isGrpcServiceError(error) || isConnectionError(error);
  return away
    ? new GatewayUnavailable('Temporal does not answer; what the ledger knows can still be read.', { cause: error })
    : error;
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ServiceError' || /connect/i.test(error.name));
}

import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';
import { reconcileQueue, removalsQueue } from '../contract/names.ts';

/**
 * A worker that was killed is noticed after this. Beats come every 10 s, and the rest is patience with an embedded
 * database, which may hold up everything else in its process for seconds.
 */
const heartbeatTimeout = '30 seconds';

/** Whatever only asks or writes the ledger: quick, and worth repeating for as long as the ledger may be away. */
export const recording = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '2 minutes', // one transaction; a first round of a million rows remembers them all in it
  scheduleToCloseTimeout: '30 minutes', // a database restart, a fail-over, somebody who has to be called
  heartbeatTimeout,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;

/** The removal loop's own questions: the ledger may stay away for long, and nothing is lost meanwhile. */
export const looking = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '30 seconds', // a few small statements
  scheduleToCloseTimeout: '1 day', // longer than any outage that somebody has not noticed
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} satisfies ActivityOptions;

export const deciding = {
  ...looking,
  startToCloseTimeout: '5 minutes', // a thousand items, one short transaction each, on a busy embedded database
  heartbeatTimeout,
} satisfies ActivityOptions;

export const checking = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '30 seconds', // a connection and one statement
  scheduleToCloseTimeout: '90 seconds', // a source that is away longer than that is away this round
  retry: { initialInterval: '1 second', backoffCoefficient: 3, maximumAttempts: 3 }, // 4 seconds of patience
} satisfies ActivityOptions;

export const listing = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '30 minutes', // a million registrations in pages of 5,000, from a slow registry
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 3, maximumAttempts: 4 },
} satisfies ActivityOptions;

export const probing = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '10 minutes', // the longest budget is 160 s; the rest is patience with a slow source
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 3, maximumAttempts: 4 }, // 26 seconds of pauses
  // Other lanes end before the round does, so that none of them writes into a round that is over.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

export const judging = {
  taskQueue: reconcileQueue,
  startToCloseTimeout: '30 minutes', // everything absent in a catalog of a million, with its attachments
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 10 },
} satisfies ActivityOptions;

export const removing = {
  taskQueue: removalsQueue,
  startToCloseTimeout: '2 minutes', // 30 s until the request is sent, 15 s for the registry, the rest for the ledger
  scheduleToCloseTimeout: '30 minutes', // includes the wait in the rate-limited queue
  heartbeatTimeout,
  retry: { maximumAttempts: 1 }, // a failure means "outcome unknown": look first, then decide
} satisfies ActivityOptions;

export const restoring = {
  taskQueue: removalsQueue,
  startToCloseTimeout: '5 minutes', // a container of a hundred thousand, in one transaction of the registry
  scheduleToCloseTimeout: '30 minutes', // after that the loop looks again, and begins anew
  heartbeatTimeout,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 20 },
} satisfies ActivityOptions;

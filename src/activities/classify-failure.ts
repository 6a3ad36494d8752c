import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure, TemporalFailure } from '@temporalio/common';
import { type FailureRule, failureRules, ReconcilerFailure } from '../domain/failure.ts';

/**
 * The only translator from errors to Temporal's failures: it applies the table in `domain/failure.ts`. What no row
 * describes becomes `Internal`, with the name of the error alone, since its text may hold anything.
 *
 * @param attempt the attempt that failed, from 1
 */
export function classifyFailure(error: unknown, attempt = 1): Error {
  if (error instanceof TemporalFailure || error instanceof CompleteAsyncError) return error;
  if (isAbort(error)) return new CancelledFailure('the activity was cancelled');
  const failure =
    error instanceof ReconcilerFailure
      ? error
      : new ReconcilerFailure('Internal', nameOf(error), `unexpected error (${nameOf(error)}); see the worker’s log`, {
          cause: error,
        });
  const rule: FailureRule = failureRules[failure.type];
  return ApplicationFailure.create({
    type: failure.type,
    message: failure.message,
    nonRetryable: !rule.retry || (failure.type === 'Internal' && attempt >= internalAttempts),
    details: [failure.code],
    ...(rule.benign ? { category: ApplicationFailureCategory.BENIGN } : {}),
    ...(failure.retryAfterMs === undefined ? {} : { nextRetryDelay: failure.retryAfterMs }),
  });
}

/** What nobody foresaw may pass once or twice; after that it is a fault of ours, which waiting does not mend. */
const internalAttempts = 3;

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error instanceof CancelledFailure);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

import { DeltaError, deltaFailures } from './delta-error.ts';

export interface FailureAnswer {
  readonly status: number;
  readonly body: {
    readonly error: { readonly message: string; readonly type: string; readonly code: number; readonly stack: null };
  };
}

/** How a failure is told. What is not a `DeltaError` is ours, and its message is not for callers. */
export function failureAnswer(error: unknown): FailureAnswer {
  const told =
    error instanceof DeltaError
      ? error
      : new DeltaError(
          'Internal',
          'The request could not be answered. Nothing is known to be wrong with the request itself.',
        );
  const [type, status] = deltaFailures[told.failure];
  return { status, body: { error: { message: told.message, type, code: status, stack: null } } };
}

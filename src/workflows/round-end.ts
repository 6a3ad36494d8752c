import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { RoundPhase, RoundResult } from '../contract/round-messages.ts';
import { failureRules, type FailureType } from '../domain/failure.ts';

/** How a round ends that an activity's failure ended, by the failure table. */
export function roundEndOf(
  error: unknown,
  phase: RoundPhase,
): { readonly state: 'unreachable' | 'incomplete' | 'failed'; readonly reason: NonNullable<RoundResult['reason']> } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && isFailureType(cause.type)) {
    const [code] = cause.details ?? [];
    return {
      state: failureRules[cause.type].round,
      reason: { type: cause.type, code: typeof code === 'string' ? code : cause.type, message: cause.message },
    };
  }
  if (cause instanceof TimeoutFailure) {
    // Only while the source is asked can silence be the source's; it is never an answer about an object.
    const asking = phase === 'checking' || phase === 'probing' || phase === 'settling' || phase === 'checking-again';
    return {
      state: asking ? 'unreachable' : 'failed',
      reason: {
        type: asking ? 'SourceUnavailable' : 'Internal',
        code: 'timeout',
        message: `The step "${phase}" did not end in time.`,
      },
    };
  }
  return {
    state: 'failed',
    reason: { type: 'Internal', code: 'workflow', message: error instanceof Error ? error.message : 'unknown failure' },
  };
}

function isFailureType(type: string | null | undefined): type is FailureType {
  return type !== null && type !== undefined && type in failureRules;
}

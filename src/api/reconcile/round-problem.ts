import type { RoundResult } from '../../contract/round-messages.ts';
import { type FailureType, failureRules } from '../../domain/failure.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ProblemType } from '../problems/problem-types.ts';

const ofEnd = {
  incomplete: ['round-incomplete', 'The round could not see everything, so nothing was concluded.'],
  failed: ['round-failed', 'The round failed, so nothing was concluded.'],
  'source-changed': ['source-changed', 'Another source answers behind the catalog; nothing was concluded.'],
  cancelled: ['round-cancelled', 'The round was cancelled; nothing was concluded.'],
} as const satisfies Record<
  Exclude<RoundResult['end'], 'published' | 'scanned' | 'unreachable'>,
  readonly [ProblemType, string]
>;

/**
 * How a round that came to no conclusion is told. An empty list would read as "nothing is stale", so it is an error.
 */
export function roundProblem(end: keyof typeof ofEnd, reason: RoundResult['reason']): ApiProblem {
  const [type, what] = ofEnd[end];
  if (reason === undefined) return new ApiProblem(type, what);
  const mend = isFailureType(reason.type) ? { mend: failureRules[reason.type].mend } : {};
  // nobody upstream is to blame for a catalog that cannot be worked with
  const known = reason.type === 'InvalidRequest' ? 'cannot-be-right' : type;
  return new ApiProblem(known, `${what} ${reason.message}`, { reason, ...mend });
}

function isFailureType(type: string): type is FailureType {
  return Object.hasOwn(failureRules, type);
}

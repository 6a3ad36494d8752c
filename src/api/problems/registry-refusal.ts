import type { RefusalReason } from '../../registries/embedded/refusal.ts';
import { ApiProblem } from './api-problem.ts';
import type { ProblemType } from './problem-types.ts';

const ofReason = {
  'not-found': 'no-such-entity',
  'already-exists': 'registry-refused',
  'id-taken': 'registry-refused',
  'not-empty': 'registry-refused',
  'version-conflict': 'registry-refused',
  'invalid-move': 'registry-refused',
  'invalid-name': 'not-for-this-registry',
  'misplaced-secret': 'not-for-this-registry',
  'invalid-cursor': 'invalid-cursor',
} as const satisfies Record<RefusalReason, ProblemType>;

/**
 * A refusal of the embedded registry, told by its shape: the API may know the registries' types only, and an error that
 * crosses the wall keeps its name and its `reason`.
 */
export function refusalProblem(error: unknown): ApiProblem | undefined {
  if (!(error instanceof Error) || error.name !== 'RegistryRefusal') return undefined;
  const reason = 'reason' in error ? error.reason : undefined;
  const type = isReason(reason) ? ofReason[reason] : 'registry-refused';
  return new ApiProblem(type, error.message, {
    reason: { type: 'RegistryRefusal', code: isReason(reason) ? reason : 'refused', message: error.message },
    cause: error,
  });
}

function isReason(reason: unknown): reason is RefusalReason {
  return typeof reason === 'string' && Object.hasOwn(ofReason, reason);
}

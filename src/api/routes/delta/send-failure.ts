import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeltaError, type DeltaFailure } from '../../../delta/delta-error.ts';
import { failureAnswer } from '../../../delta/failure-answer.ts';
import { jsonText } from '../../../delta/wire/json.ts';
import type { ApiProblem } from '../../problems/api-problem.ts';
import { classifyError } from '../../problems/classify-error.ts';
import { type ProblemType, problemTypes } from '../../problems/problem-types.ts';
import { deltaContentType } from './content-type.ts';

/** Every failure below the address of the Delta API leaves through here, in its envelope; to HEAD without one. */
export function sendDeltaFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = deltaErrorFor(error, reply);
  const { status, body } = failureAnswer(failure);
  if (status >= 500) request.log.error({ err: failure.cause ?? failure, status }, 'request failed');
  else request.log.debug({ failure: failure.failure, status }, 'request refused');
  reply.code(status).header('x-request-id', request.id);
  if (request.method === 'HEAD') reply.send();
  else reply.type(deltaContentType).send(jsonText(body));
}

/** The failure that an error of any kind is told as; what stands before the operations fails with problems. */
export function deltaErrorFor(error: unknown, reply: FastifyReply): DeltaError {
  return error instanceof DeltaError ? error : ofProblem(classifyError(error), reply);
}

/** Problems of what stands before the operations, by their kind where clients tell it apart. */
const kinds: Partial<Record<ProblemType, DeltaFailure>> = {
  unauthenticated: 'Unauthenticated',
  forbidden: 'PermissionDenied',
  'foreign-origin': 'PermissionDenied',
  'host-not-local': 'PermissionDenied',
  'not-found': 'NotFound',
  'method-not-allowed': 'MethodNotAllowed',
  'too-many-requests': 'TooManyRequests',
  internal: 'Internal',
};

function ofProblem(problem: ApiProblem, reply: FastifyReply): DeltaError {
  const { retryAfterSeconds, cause } = problem.parts;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  const { status } = problemTypes[problem.type];
  const failure = kinds[problem.type] ?? (status >= 500 ? 'Unavailable' : 'InvalidArgument');
  return new DeltaError(failure, problem.message, cause === undefined ? {} : { cause });
}

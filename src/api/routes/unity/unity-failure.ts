import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeltaError, type DeltaFailure, LocationTaken, deltaFailures } from '../../../delta/delta-error.ts';
import { deltaContentType } from '../delta/content-type.ts';
import { deltaErrorFor } from '../delta/send-failure.ts';

/** The kinds of things that this API names in its codes. */
export type UnityLevel = 'CATALOG' | 'SCHEMA' | 'TABLE';

/** What is there already, or still full: the codes name its level, and both are told with 400. */
export class UnityRefusal extends Error {
  override readonly name = 'UnityRefusal';
  readonly code: string;

  constructor(code: `${UnityLevel}_ALREADY_EXISTS` | 'FAILED_PRECONDITION', message: string) {
    super(message);
    this.code = code;
  }
}

const codes: Partial<Record<DeltaFailure, string>> = {
  InvalidArgument: 'INVALID_ARGUMENT',
  BadRequest: 'INVALID_ARGUMENT',
  UnsupportedTableFormat: 'INVALID_ARGUMENT',
  Unauthenticated: 'UNAUTHENTICATED',
  PermissionDenied: 'PERMISSION_DENIED',
  NoSuchCatalog: 'CATALOG_NOT_FOUND',
  NoSuchSchema: 'SCHEMA_NOT_FOUND',
  NoSuchTable: 'TABLE_NOT_FOUND',
  NotFound: 'NOT_FOUND',
  UpdateRequirementConflict: 'ABORTED',
  ResourceExhausted: 'RESOURCE_EXHAUSTED',
  TooManyRequests: 'RESOURCE_EXHAUSTED',
  NotImplemented: 'UNIMPLEMENTED',
};

/** Every failure of this API but those of its Delta half leaves through here, in its own envelope. */
export function sendUnityFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, code, message, cause } = told(error, reply);
  if (status >= 500) request.log.error({ err: cause, status }, 'request failed');
  else request.log.debug({ code, status }, 'request refused');
  const details = [{ reason: code, metadata: {}, '@type': 'google.rpc.ErrorInfo' }];
  reply.code(status).header('x-request-id', request.id).type(deltaContentType);
  if (request.method === 'HEAD') reply.send();
  else reply.send(JSON.stringify({ error_code: code, details, stack_trace: null, message }));
}

function told(error: unknown, reply: FastifyReply) {
  if (error instanceof UnityRefusal) return { status: 400, code: error.code, message: error.message, cause: error };
  // Two answers of the store itself: something lives at the place already, or in what is to be deleted.
  if (error instanceof LocationTaken)
    return { status: 400, code: 'INVALID_ARGUMENT', message: error.message, cause: error };
  if (error instanceof Error && error.name === 'LakeNotEmpty') {
    return { status: 400, code: 'FAILED_PRECONDITION', message: error.message, cause: error };
  }
  const failure = deltaErrorFor(error, reply);
  const [, status] = deltaFailures[failure.failure];
  const { message, cause } = failure;
  return {
    status,
    code: codes[failure.failure] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
    message,
    cause: cause ?? failure,
  };
}

/** Runs a creation; a name that is taken is told with its level. */
export async function creating<T>(level: UnityLevel, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DeltaError) || error.failure !== 'AlreadyExists') throw error;
    throw new UnityRefusal(`${level}_ALREADY_EXISTS`, `${capital(level)} '${name}' already exists`);
  }
}

function capital(level: UnityLevel): string {
  return level.charAt(0) + level.slice(1).toLowerCase();
}

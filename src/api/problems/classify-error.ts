import { type FailureType, ReconcilerFailure, failureRules } from '../../domain/failure.ts';
import { GatewayUnavailable } from '../gateway.ts';
import { ApiProblem } from './api-problem.ts';
import { invalidFields } from './invalid-fields.ts';
import type { ProblemType } from './problem-types.ts';
import { refusalProblem } from './registry-refusal.ts';

/** The ledger's own attempts take a few seconds; asking sooner finds the same. */
const ledgerRetrySeconds = 5;

const ofMissing = {
  temporal: ['temporal-unavailable', 'Temporal cannot be reached, and nothing was sent.'],
  worker: ['no-worker', 'No worker takes up what is asked for, and nothing was sent.'],
} as const satisfies Record<GatewayUnavailable['missing'], readonly [ProblemType, string]>;

const ofFailure = {
  SourceUnreachable: 'source-failed',
  SourceUnavailable: 'source-failed',
  SourceBusy: 'source-failed',
  SourceAccessDenied: 'source-failed',
  SourceProtocolError: 'source-failed',
  ProbeUntrusted: 'source-failed',
  IncompleteBatch: 'source-failed',
  RegistryUnreachable: 'registry-failed',
  RegistryAccessDenied: 'registry-failed',
  RegistryProtocolError: 'registry-failed',
  SnapshotIncomplete: 'registry-failed',
  LedgerUnavailable: 'ledger-unavailable',
  InvalidRequest: 'cannot-be-right',
  RoundSuperseded: 'superseded',
  Internal: 'internal',
} as const satisfies Record<FailureType, ProblemType>;

/** Errors of the framework, by its documented codes. */
const ofFramework: Readonly<Record<string, ProblemType>> = {
  FST_ERR_BAD_URL: 'malformed-address',
  FST_ERR_MAX_PARAM_LENGTH: 'address-too-long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-body',
  FST_ERR_HANDLER_TIMEOUT: 'internal',
};

/** What no caller can mend is told without its inside; the log has the error itself. */
const internalDetail = 'The request could not be answered. Nothing is known to be wrong with the request itself.';

/** The one place that decides how an error is told. */
export function classifyError(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof GatewayUnavailable) {
    const [type, detail] = ofMissing[error.missing];
    return new ApiProblem(type, detail, {
      retryAfterSeconds: error.retryAfterSeconds,
      cause: error,
    });
  }
  if (error instanceof ReconcilerFailure) return failureProblem(error);
  const invalid = invalidFields(error);
  if (invalid !== undefined) {
    const fields = invalid.map(({ field }) => field).join(', ');
    return new ApiProblem('invalid-request', `Not as described: ${fields}.`, { errors: invalid, cause: error });
  }
  const refused = refusalProblem(error);
  if (refused !== undefined) return refused;
  if (!(error instanceof Error)) return new ApiProblem('internal', internalDetail, { cause: error });
  if (error.name === 'LedgerUnavailable') return ledgerProblem(error);
  const framework = ofFramework['code' in error && typeof error.code === 'string' ? error.code : ''];
  if (framework !== undefined && framework !== 'internal') {
    return new ApiProblem(framework, frameworkDetail(framework, error), { cause: error });
  }
  // a parser that refuses poisoned JSON (`__proto__`) throws a plain SyntaxError with a status of its own
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) {
    return new ApiProblem('malformed-body', 'The body could not be read as JSON.', { cause: error });
  }
  return new ApiProblem('internal', internalDetail, { cause: error });
}

function failureProblem(error: ReconcilerFailure): ApiProblem {
  const type = ofFailure[error.type];
  if (type === 'internal') return new ApiProblem('internal', internalDetail, { cause: error });
  if (type === 'ledger-unavailable') return ledgerProblem(error);
  return new ApiProblem(type, error.message, {
    reason: { type: error.type, code: error.code, message: error.message },
    mend: failureRules[error.type].mend,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1_000) }),
    cause: error,
  });
}

function ledgerProblem(cause: unknown): ApiProblem {
  return new ApiProblem('ledger-unavailable', 'Our own database does not answer.', {
    retryAfterSeconds: ledgerRetrySeconds,
    cause,
  });
}

function frameworkDetail(type: ProblemType, error: Error): string {
  switch (type) {
    case 'malformed-body':
      return 'The body could not be read as JSON.';
    case 'body-too-large':
      return 'The body has more than 1 MiB.';
    case 'malformed-address':
      return 'The address holds a percent sign that begins no escape.';
    case 'address-too-long':
      return 'One segment of the address is longer than any name may be.';
    default:
      return error.message;
  }
}

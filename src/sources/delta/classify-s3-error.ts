import { type FailureType, ReconcilerFailure } from '../../domain/failure.ts';

type Reading = readonly [type: FailureType, mend: string];

const credentials: Reading = ['SourceAccessDenied', 'Check accessKeyId, secretAccessKey and sessionToken.'];
const rights: Reading = [
  'SourceAccessDenied',
  'Grant the key s3:ListBucket on the bucket and s3:GetObject on what is in it.',
];
const busy: Reading = ['SourceBusy', 'The next attempt asks again; lower the probes in flight if it stays.'];
const place: Reading = ['SourceProtocolError', 'Correct region and endpoint of the catalog.'];

/** Codes of S3, as its errors name them. */
const byName: Readonly<Record<string, Reading>> = {
  AccessDenied: rights,
  AllAccessDisabled: rights,
  AccountProblem: credentials,
  InvalidAccessKeyId: credentials,
  SignatureDoesNotMatch: credentials,
  ExpiredToken: credentials,
  InvalidToken: credentials,
  TokenRefreshRequired: credentials,
  RequestTimeTooSkewed: ['SourceAccessDenied', 'Set the clock of this machine.'],
  // the catalog is unreachable, and none of its tables is thereby gone
  NoSuchBucket: ['SourceProtocolError', 'There is no such bucket. Correct the catalog’s root, or look who removed it.'],
  InvalidBucketName: ['SourceProtocolError', 'Correct the bucket in the catalog’s root.'],
  PermanentRedirect: place,
  TemporaryRedirect: place,
  AuthorizationHeaderMalformed: place,
  SlowDown: busy,
  SlowDownRead: busy,
  Throttling: busy,
  ThrottlingException: busy,
  RequestLimitExceeded: busy,
  TooManyRequests: busy,
  BandwidthLimitExceeded: busy,
  ServiceUnavailable: busy,
};

const notItsOwn = 'This is not how S3 answers; look for a proxy in between, and check the endpoint.';

/**
 * The one translator of what the client throws: by the store's own code, else by status, never by text. An answer without
 * the id that S3 gives every request is not the store's own, whatever its status says.
 */
export function classifyS3Error(error: unknown, address: string): ReconcilerFailure {
  if (error instanceof ReconcilerFailure) return error;
  const { name, status, requestId } = answerOf(error);
  const [type, mend] = (requestId === undefined ? undefined : byName[name]) ?? byStatus(status, requestId);
  const code = status === undefined || byName[name] !== undefined ? name : `${name}-${status}`;
  const did = status === undefined ? 'cannot be reached' : 'did not answer as asked';
  // the client’s own text may quote the request
  return new ReconcilerFailure(type, code, `S3 at ${address} ${did} (${code}). ${mend}`, { cause: error });
}

/** The store’s own word about one object, and nothing else that has that status. */
export function isS3Answer(error: unknown, name: 'NoSuchKey' | 'AccessDenied'): boolean {
  const answer = answerOf(error);
  return answer.requestId !== undefined && answer.name === name && answer.status === (name === 'NoSuchKey' ? 404 : 403);
}

function byStatus(status: number | undefined, requestId: string | undefined): Reading {
  if (status === undefined)
    return ['SourceUnreachable', 'Check the endpoint, and that nothing swallows the connection.'];
  if (status === 401 || status === 403) return requestId === undefined ? ['SourceUnreachable', notItsOwn] : rights;
  if (status === 429 || status === 503) return busy;
  if (status >= 500) return ['SourceUnavailable', 'The store has a fault of its own. The next attempt asks again.'];
  return ['SourceUnreachable', notItsOwn];
}

interface Answer {
  readonly name: string;
  readonly status?: number;
  readonly requestId?: string;
}

function answerOf(error: unknown): Answer {
  if (!(error instanceof Error)) return { name: 'no-code' };
  const { $metadata: told } = error as { $metadata?: { httpStatusCode?: number; requestId?: string } };
  if (told?.httpStatusCode === undefined) {
    const { code } = error as { code?: unknown };
    return { name: typeof code === 'string' && code !== '' ? code : error.name };
  }
  return {
    name: error.name,
    status: told.httpStatusCode,
    ...(told.requestId === undefined || told.requestId === '' ? {} : { requestId: told.requestId }),
  };
}

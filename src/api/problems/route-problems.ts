import type { RouteAction } from '../plugins/authorize.ts';
import { type ProblemType, problemTypes } from './problem-types.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Problems that this route may answer with, beside those that follow from its shape. */
    problems?: readonly ProblemType[];
  }
}

/** What of a route decides which problems it may answer with. */
export interface RouteShape {
  /** What the route does; not public, it may refuse who asks. */
  readonly action: RouteAction | undefined;
  readonly method: string | readonly string[];
  readonly url: string;
  readonly schema?: {
    readonly body?: unknown;
    readonly params?: unknown;
    readonly querystring?: unknown;
    readonly headers?: unknown;
    /** `registry` marks the routes of the embedded registry. */
    readonly tags?: readonly string[];
  };
  readonly problems?: readonly ProblemType[];
  /** Whether it takes an idempotency key. */
  readonly keyed: boolean;
}

/** Of a server that may be about to end, on a database that may be away, asked over HTTP. */
const everywhere: readonly ProblemType[] = [
  'malformed-address',
  'address-too-long',
  'host-not-local',
  'headers-too-large',
  'request-timeout',
  'internal',
  'ledger-unavailable',
  'shutting-down',
  'too-many-requests',
  'too-busy',
];

const ofPrincipals: readonly ProblemType[] = ['unauthenticated', 'forbidden', 'issuer-unavailable'];

/** A metalake or catalog is looked up in its registry, where it may be gone or not to be worked with. */
const ofMetalakes: readonly ProblemType[] = ['no-such-metalake', 'registry-failed', 'cannot-be-right'];

const ofTheRegistry: readonly ProblemType[] = [
  'no-such-entity',
  'registry-refused',
  'not-for-this-registry',
  'invalid-cursor',
];

const ofKeys: readonly ProblemType[] = ['idempotency-key-in-flight', 'idempotency-key-reused'];

const ofChanges: readonly ProblemType[] = [
  'foreign-origin',
  'malformed-body',
  'body-too-large',
  'unsupported-media-type',
];

/** Every problem that a route may answer with; the OpenAPI document lists just these, and an answer of another kind is a fault. */
export function problemsOf({
  action,
  method,
  url,
  schema = {},
  problems = [],
  keyed,
}: RouteShape): ReadonlySet<ProblemType> {
  const all = new Set<ProblemType>([...everywhere, ...problems]);
  if (action !== 'public') {
    for (const type of ofPrincipals) all.add(type);
  }
  if (keyed) {
    for (const type of ofKeys) all.add(type);
  }
  const { body, params, querystring, headers } = schema;
  if ([body, params, querystring, headers].some((part) => part !== undefined)) all.add('invalid-request');
  if (params !== undefined && url.includes('/:metalake')) {
    for (const type of ofMetalakes) all.add(type);
  }
  if (params !== undefined && url.includes('/catalogs/:catalog')) all.add('no-such-catalog');
  if (schema.tags?.includes('registry')) {
    for (const type of ofTheRegistry) all.add(type);
  }
  const changes = [method].flat().some((name) => name !== 'GET' && name !== 'HEAD');
  if (changes) {
    for (const type of ofChanges) all.add(type);
  }
  return all;
}

/** The problems by the status that they are answered with. */
export function byStatus(types: Iterable<ProblemType>): ReadonlyMap<number, readonly ProblemType[]> {
  const groups = new Map<number, ProblemType[]>();
  for (const type of types) {
    const { status } = problemTypes[type];
    groups.set(status, [...(groups.get(status) ?? []), type]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

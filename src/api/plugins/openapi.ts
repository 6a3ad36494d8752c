import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../problems/api-problem.ts';
import { byStatus, problemsOf } from '../problems/route-problems.ts';
import type { ApiServer } from '../server.ts';

/** Collects the schemas of every route registered after it; `GET /api/openapi.json` answers with them. */
export async function collectOpenApi(
  app: ApiServer,
  { version, authenticator }: Pick<ApiDeps, 'version' | 'authenticator'>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'catalog-reconciler',
        description:
          'Stale registrations, their evidence, and decisions about them. Times are Unix milliseconds. Every error is ' +
          'application/problem+json; GET /api/problems lists their types. Where credentials are configured, every request ' +
          'carries a bearer token, which says who acts; where none is, header x-actor does.',
        version,
      },
      components: { securitySchemes: { bearer } },
      ...(authenticator === undefined ? {} : { security: [{ bearer: [] }] }),
    },
    transform: (document) => {
      const { schema, route } = document;
      const response = { ...problemResponses(route), ...(isRecord(schema?.response) ? schema.response : {}) };
      const security = route.config?.action === 'public' ? { security: [] } : {};
      return jsonSchemaTransform({ ...document, schema: { ...schema, ...security, response } });
    },
    transformObject: (document) => withRetryAfter(withOptionalBodies(jsonSchemaTransformObject(document))),
  });
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token of `auth.tokens`, or a signed one (JWT) of the issuer in `auth.jwt`.',
} as const;

export function openApiRoute(app: ApiServer): void {
  app.get('/openapi.json', { config: { action: 'public' }, schema: { hide: true } }, async () => app.swagger());
}

/** Every problem of the route by its status; the types are told apart by member `type`, which a reader finds by name here. */
function problemResponses(route: RouteOptions): Record<number, unknown> {
  const { method, url, schema } = route;
  const problems = route.config?.problems ?? [];
  const { action, idempotency } = route.config ?? {};
  const documented = byStatus(
    problemsOf({
      action,
      method,
      url,
      problems,
      keyed: idempotency !== undefined,
      ...(schema === undefined ? {} : { schema }),
    }),
  );
  return Object.fromEntries(
    [...documented].map(([status, types]) => [
      status,
      {
        description: `${STATUS_CODES[status] ?? 'Problem'}: ${types.map((type) => `\`${type}\``).join(', ')}`,
        content: { 'application/problem+json': { schema: Problem } },
      },
    ]),
  );
}

/** A body that has a default may be left out; the collector of the routes calls every body required. */
function withOptionalBodies<D extends object>(document: D): D {
  for (const operation of operationsOf(document)) {
    const body = recordAt(operation, 'requestBody');
    const { schema } = recordAt(recordAt(body, 'content'), 'application/json');
    if (isRecord(schema) && 'default' in schema) body['required'] = false;
  }
  return document;
}

/** Answers that ask for patience say for how long. */
function withRetryAfter<D extends object>(document: D): D {
  const header = {
    'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait before the next try.' },
  };
  for (const operation of operationsOf(document)) {
    for (const status of ['202', '429', '503']) {
      const response = recordAt(operation, 'responses')[status];
      if (isRecord(response)) response['headers'] = { ...recordOf(response['headers']), ...header };
    }
  }
  return document;
}

function operationsOf(document: object): readonly unknown[] {
  return Object.values(recordAt(document, 'paths')).flatMap((path) => Object.values(recordOf(path)));
}

function recordAt(parent: unknown, key: string): Record<string, unknown> {
  return recordOf(recordOf(parent)[key]);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

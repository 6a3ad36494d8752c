import swagger from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { ApiServer } from '../server.ts';

/** Collects the schemas of every route registered after it; `GET /api/openapi.json` answers with them. */
export async function collectOpenApi(app: ApiServer, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'catalog-reconciler',
        description:
          'Stale registrations, their evidence, and decisions about them. Times are Unix milliseconds. Every error is ' +
          'application/problem+json; GET /api/problems lists their types. Header x-actor names who acts.',
        version,
      },
    },
    transform: jsonSchemaTransform,
  });
}

export function openApiRoute(app: ApiServer): void {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

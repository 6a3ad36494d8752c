import type { FastifyPluginAsync } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { attachmentRoutes } from './attachments.ts';
import { registryCatalogRoutes } from './catalogs.ts';
import type { RegistryRoutesDeps } from './desk.ts';
import { entityByIdRoutes, entityRoutes } from './entities.ts';
import { schemaFamily, tableFamily, viewFamily } from './entity-address.ts';
import { metalakeRoutes } from './metalakes.ts';
import { relationRoutes } from './relations.ts';
import { schemaRoutes } from './schemas.ts';

/**
 * The routes of the embedded registry, from `/metalakes` on; the app chooses the prefix. They expect what the app sets
 * up: zod compilers, `request.actor`, the error handler, and a `maxParamLength` that has room for
 * the levels of a schema in one segment.
 */
export function registryRoutes(deps: RegistryRoutesDeps): FastifyPluginAsync {
  return async (plain) => {
    const app = plain.withTypeProvider<ZodTypeProvider>();
    metalakeRoutes(app, deps);
    registryCatalogRoutes(app, deps);
    schemaRoutes(app, deps);
    relationRoutes(app, deps, 'table');
    relationRoutes(app, deps, 'view');
    for (const family of [schemaFamily, tableFamily, viewFamily]) {
      entityRoutes(app, deps, family);
      attachmentRoutes(app, deps, family);
    }
    entityByIdRoutes(app, deps);
  };
}

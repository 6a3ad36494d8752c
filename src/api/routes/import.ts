import { catalogToActOn } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { EmptyBody, ImportAnswer } from '../schemas/control.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';

/**
 * `POST …/import`, no body: registers what the catalog's source lists. Adds only: what is registered already is counted
 * and left alone, nothing is ever removed, so it may be repeated. Problems: `no-such-metalake`, `no-such-catalog`,
 * `source-failed`, `registry-failed`, `cannot-be-right` (the registry takes no registrations from us).
 */
export function importRoutes(app: ApiServer, deps: ApiDeps): void {
  app.post(
    '/metalakes/:metalake/catalogs/:catalog/import',
    {
      config: { action: 'operate', problems: ['source-failed', 'registry-failed', 'cannot-be-right'] },
      schema: {
        summary: 'Register what the source lists',
        params: catalogParams,
        body: EmptyBody,
        response: { 200: ImportAnswer },
      },
    },
    async ({ params, actor, log }) => {
      await catalogToActOn(deps, params);
      const { added, existing, skipped } = await deps.importCatalog(params, actor);
      log.info({ actor, added, existing, skipped }, 'import');
      return { catalog: params.catalog, added, existing, skipped };
    },
  );
}

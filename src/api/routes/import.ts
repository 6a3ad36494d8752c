import { ReconcilerFailure } from '../../domain/failure.ts';
import { catalogKey } from '../addresses.ts';
import { catalogToActOn } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { EmptyBody, ImportAnswer } from '../schemas/control.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';

/**
 * `POST …/import`, no body: registers what the catalog's source lists. Adds only: what is registered already is counted
 * and left alone, nothing is ever removed, so it may be repeated. Its end is in the audit. Problems: `no-such-metalake`, `no-such-catalog`,
 * `source-failed`, `registry-failed`, `cannot-be-right` (the registry takes no registrations from us).
 */
export function importRoutes(app: ApiServer, deps: ApiDeps): void {
  app.post(
    '/metalakes/:metalake/catalogs/:catalog/import',
    {
      config: {
        action: 'operate',
        idempotency: 'once',
        problems: ['source-failed', 'registry-failed', 'cannot-be-right'],
      },
      schema: {
        summary: 'Register what the source lists',
        params: catalogParams,
        headers: keyHeaders,
        body: EmptyBody,
        response: { 200: ImportAnswer },
      },
    },
    async ({ params, actor, log }) => {
      await catalogToActOn(deps, params);
      const catalog = catalogKey(params);
      const told = { catalog, actor, subject: catalog };
      const counts = await deps.importCatalog(params, actor).catch(async (error: unknown) => {
        // some may have been registered before it broke off
        const why = error instanceof ReconcilerFailure ? { type: error.type, code: error.code } : { type: 'Internal' };
        await deps.ledger.audit.note({ ...told, at: deps.clock(), action: 'import-failed', detail: why });
        throw error;
      });
      const { added, existing, skipped } = counts;
      await deps.ledger.audit.note({
        ...told,
        at: deps.clock(),
        action: 'imported',
        detail: { added, existing, skipped },
      });
      log.info({ actor, added, existing, skipped }, 'import');
      return { catalog: params.catalog, added, existing, skipped };
    },
  );
}

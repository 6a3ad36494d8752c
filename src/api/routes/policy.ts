import { catalogKey } from '../addresses.ts';
import { catalogToRead } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { PolicyView } from '../schemas/catalog.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { policyView } from '../views/policy-view.ts';

/**
 * `GET …/policy`: the policy in force, as `schedules apply` wrote it last; version 0 is the default, report-only.
 * Lengths are milliseconds. Problems: `no-such-metalake`, `no-such-catalog`, `ledger-unavailable`.
 */
export function policyRoutes(app: ApiServer, deps: ApiDeps): void {
  app.get(
    '/metalakes/:metalake/catalogs/:catalog/policy',
    {
      config: { action: 'read' },
      schema: { summary: 'The policy in force', params: catalogParams, response: { 200: PolicyView } },
    },
    async ({ params }) => {
      await catalogToRead(deps, params);
      return policyView(await deps.ledger.catalogs.policy(catalogKey(params)));
    },
  );
}

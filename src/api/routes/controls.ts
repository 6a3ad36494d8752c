import type { FastifyBaseLogger } from 'fastify';
import type { CatalogName } from '../../contract/names.ts';
import { catalogKey } from '../addresses.ts';
import { catalogToActOn } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { Controlled, ReasonBody, ResumeBody } from '../schemas/control.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { wakeReview } from '../wake-review.ts';

/**
 * - `POST …/pause`, body `{reason}`: nothing of the catalog is removed until `resume`; rounds go on.
 * - `POST …/resume`, body `{reason?}`: ends a pause, and a stop of the removal loop.
 * - `POST …/accept-source`, body `{reason}`: what answers behind the catalog's address now is its source from here on.
 *   Forgets identities and starts a new epoch, so that the next complete round removes nothing.
 *
 * All three take header `Idempotency-Key`, are written to the ledger with their actor and answer with the catalog as it stands then; `woken` is false
 * where Temporal could not be told at once. Problems: `no-such-metalake`, `no-such-catalog`, `ledger-unavailable`.
 */
export function controlRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  const base = '/metalakes/:metalake/catalogs/:catalog';
  const response = { 200: Controlled };

  app.post(
    `${base}/pause`,
    {
      config: { action: 'operate', idempotency: 'once' },
      schema: {
        summary: 'Remove nothing until resumed',
        params: catalogParams,
        headers: keyHeaders,
        body: ReasonBody,
        response,
      },
    },
    async ({ params, body: { reason }, actor, log }) => {
      const key = await toControl(params);
      await ledger.decisions.pause(key, { by: actor.name, reason, at: clock() }, actor);
      return controlled(params, 'paused', log);
    },
  );

  app.post(
    `${base}/resume`,
    {
      config: { action: 'operate', idempotency: 'once' },
      schema: {
        summary: 'End a pause or a stop',
        params: catalogParams,
        headers: keyHeaders,
        body: ResumeBody,
        response,
      },
    },
    async ({ params, body: { reason }, actor, log }) => {
      const key = await toControl(params);
      await ledger.decisions.resume(key, actor, clock(), reason);
      return controlled(params, 'resumed', log);
    },
  );

  app.post(
    `${base}/accept-source`,
    {
      config: { action: 'operate', idempotency: 'once' },
      schema: {
        summary: 'Accept what answers now as the source of the catalog',
        params: catalogParams,
        headers: keyHeaders,
        body: ReasonBody,
        response,
      },
    },
    async ({ params, body: { reason }, actor, log }) => {
      const key = await toControl(params);
      await ledger.decisions.acceptSource(key, actor, reason, clock());
      return controlled(params, 'source accepted', log);
    },
  );

  /** A catalog may be paused before any round looked at it. */
  async function toControl(name: CatalogName): Promise<string> {
    const record = await catalogToActOn(deps, name);
    if (record === undefined) await ledger.catalogs.ensure(name.metalake, name.catalog, clock());
    return catalogKey(name);
  }

  async function controlled(name: CatalogName, what: string, log: FastifyBaseLogger) {
    log.info({ what }, 'catalog controlled');
    const woken = await wakeReview(deps.gateway, name, what, log);
    return { catalog: catalogStanding(name, await ledger.catalogs.catalog(catalogKey(name))), woken };
  }
}

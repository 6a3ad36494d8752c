import type { StandingKeep } from '../../ledger/ledger.ts';
import { catalogKey } from '../addresses.ts';
import { catalogToActOn, catalogToRead } from '../catalog-lookup.ts';
import { createdId } from '../created-id.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { KeepBody, KeepEnded, KeepList, KeepOrdered, keepsQuery, type KeepView } from '../schemas/keep.ts';
import { Id, catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { wakeReview } from '../wake-review.ts';

/**
 * - `POST …/keeps`, body `{pattern, keepUntil?, reason?}` and optional header `Idempotency-Key`: a standing order to keep
 *   whatever matches the pattern, now and as rounds find it; `kept` says how many findings that is now.
 * - `GET …/keeps?limit`: standing keeps, newest first.
 * - `DELETE …/keeps/{keepId}`: takes one back, and the keeps that followed it; again, it changes nothing.
 *
 * Problems: `unusable-keep`, `no-such-metalake`, `no-such-catalog`, `no-such-keep`, `ledger-unavailable`.
 */
export function keepRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  const url = '/metalakes/:metalake/catalogs/:catalog/keeps';

  app.post(
    url,
    {
      config: { action: 'decide', idempotency: 'repeatable', problems: ['unusable-keep'] },
      schema: {
        summary: 'Keep whatever matches a pattern',
        params: catalogParams,
        headers: keyHeaders,
        body: KeepBody,
        response: { 200: KeepOrdered },
      },
    },
    async ({ params, headers, body, actor, log }) => {
      const now = clock();
      const flaw = deps.patternProblem(body.pattern);
      if (flaw !== undefined) throw new ApiProblem('unusable-keep', `The pattern ${flaw}.`);
      if (body.keepUntil !== undefined && body.keepUntil <= now) {
        throw new ApiProblem('unusable-keep', 'keepUntil is over already.');
      }
      const catalog = catalogKey(params);
      const record = await catalogToActOn(deps, params);
      if (record === undefined) await ledger.catalogs.ensure(params.metalake, params.catalog, now);
      const id = createdId(params, headers['idempotency-key']);
      const { keep, kept } = await ledger.keeps.order({ ...body, id, catalog, actor, now });
      log.info({ actor, keep: id, pattern: keep.pattern, kept }, 'keep ordered');
      return { keep: keepView(keep), kept };
    },
  );

  app.get(
    url,
    {
      config: { action: 'read' },
      schema: {
        summary: 'Standing keeps, newest first',
        params: catalogParams,
        querystring: keepsQuery,
        response: { 200: KeepList },
      },
    },
    async ({ params, query: { limit } }) => {
      await catalogToRead(deps, params);
      return { keeps: (await ledger.keeps.list(catalogKey(params), limit, clock())).map(keepView) };
    },
  );

  app.delete(
    `${url}/:keepId`,
    {
      config: { action: 'decide', idempotency: 'repeatable', problems: ['no-such-keep'] },
      schema: {
        summary: 'Take a standing keep back',
        params: catalogParams.extend({ keepId: Id }),
        headers: keyHeaders,
        response: { 200: KeepEnded },
      },
    },
    async ({ params, actor, log }) => {
      await catalogToActOn(deps, params);
      const catalog = catalogKey(params);
      const { keepId: id } = params;
      const ended = await ledger.keeps.end({ id, catalog, actor, now: clock() });
      if (ended === undefined) throw new ApiProblem('no-such-keep', `Catalog ${catalog} has no standing keep ${id}.`);
      log.info({ actor, keep: id, released: ended.released }, 'keep taken back');
      const woken = await wakeReview(deps.gateway, params, 'a keep was taken back', log);
      const standing = catalogStanding(params, await ledger.catalogs.catalog(catalog));
      return { catalog: standing, woken, keep: keepView(ended.keep), released: ended.released };
    },
  );
}

function keepView({ id, pattern, actor, reason, at, keepUntil, state, ended }: StandingKeep): KeepView {
  return {
    id,
    pattern,
    actor,
    ...(reason === undefined ? {} : { reason }),
    at,
    ...(keepUntil === undefined ? {} : { keepUntil }),
    state,
    ...(ended === undefined ? {} : { ended }),
  };
}

import { catalogKey } from '../addresses.ts';
import { catalogToActOn, catalogToRead } from '../catalog-lookup.ts';
import { createdId } from '../created-id.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import {
  EmptyBody,
  Overridden,
  OverrideApproved,
  OverrideBody,
  OverrideList,
  overridesQuery,
} from '../schemas/control.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { Id, catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { wakeReview } from '../wake-review.ts';

const refusals = {
  'not-held': 'The catalog is not held: the guard lets its removals go on.',
  'nothing-held': 'The held round has no finding that could be removed.',
  'expiry-in-the-past': 'The override would be over before it begins.',
} as const;

/**
 * - `POST …/override`, body `{maxCount, expiresInSecs, reason}` and optional header `Idempotency-Key`: a person's leave
 *   for what the guard holds *now*, by finding and evidence, up to `maxCount` registrations, until it expires. Whatever
 *   comes later is held anew, and every other condition of a removal stays. Under four eyes it is `requested` at first.
 * - `POST …/override/{overrideId}/approve`, no body: the approval of another person, which makes it `active`.
 * - `GET …/overrides?limit`: with their states, newest first.
 *
 * Problems: `nothing-held`, `same-person`, `override-expired`, `no-such-override`, `no-such-catalog`, `no-such-metalake`,
 * `ledger-unavailable`.
 */
export function overrideRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  const base = '/metalakes/:metalake/catalogs/:catalog';

  app.post(
    `${base}/override`,
    {
      config: { action: 'operate', idempotency: 'repeatable', problems: ['nothing-held'] },
      schema: {
        summary: 'Let held findings go, up to a count, until it expires',
        params: catalogParams,
        headers: keyHeaders,
        body: OverrideBody,
        response: { 200: Overridden },
      },
    },
    async ({ params, headers, body: { maxCount, expiresInSecs, reason }, actor, log }) => {
      const key = catalogKey(params);
      const record = await catalogToActOn(deps, params);
      if (record === undefined) throw new ApiProblem('nothing-held', refusals['not-held']);
      const now = clock();
      const expiresAt = now + expiresInSecs * 1_000;
      const id = createdId(params, headers['idempotency-key']);
      const answer = await ledger.decisions.override({ id, catalog: key, actor, reason, maxCount, expiresAt, now });
      if (answer.answer === 'refused') throw new ApiProblem('nothing-held', refusals[answer.reason]);
      log.info({ actor, override: id, admits: answer.admits, maxCount, expiresAt }, 'override');
      const woken = await wakeReview(deps.gateway, params, 'override', log);
      return {
        catalog: catalogStanding(params, await ledger.catalogs.catalog(key)),
        woken,
        override: { id, admits: answer.admits, maxCount, expiresAt, state: answer.state },
      };
    },
  );

  app.post(
    `${base}/override/:overrideId/approve`,
    {
      config: {
        action: 'operate',
        idempotency: 'repeatable',
        problems: ['no-such-override', 'same-person', 'override-expired'],
      },
      schema: {
        summary: 'Approve an override that somebody else requested',
        params: catalogParams.extend({ overrideId: Id }),
        headers: keyHeaders,
        body: EmptyBody,
        response: { 200: OverrideApproved },
      },
    },
    async ({ params, actor, log }) => {
      const key = catalogKey(params);
      const { overrideId: id } = params;
      if ((await catalogToActOn(deps, params)) === undefined) throw notApproved('no-such-override', id);
      const answer = await ledger.decisions.approveOverride({ id, catalog: key, actor, now: clock() });
      if (answer.answer === 'refused') throw notApproved(answer.reason, id);
      log.info({ actor, override: id }, 'override approved');
      const woken = await wakeReview(deps.gateway, params, 'override approved', log);
      return { catalog: catalogStanding(params, await ledger.catalogs.catalog(key)), woken, override: answer.override };
    },
  );

  app.get(
    `${base}/overrides`,
    {
      config: { action: 'read' },
      schema: {
        summary: 'Overrides, newest first',
        params: catalogParams,
        querystring: overridesQuery,
        response: { 200: OverrideList },
      },
    },
    async ({ params, query: { limit } }) => {
      await catalogToRead(deps, params);
      return { overrides: [...(await ledger.decisions.overrides(catalogKey(params), limit, clock()))] };
    },
  );
}

function notApproved(reason: 'no-such-override' | 'same-person' | 'expired', id: string): ApiProblem {
  switch (reason) {
    case 'no-such-override':
      return new ApiProblem('no-such-override', `There is no override ${id} of this catalog.`);
    case 'same-person':
      return new ApiProblem('same-person', 'Who requested an override may not approve it.');
    case 'expired':
      return new ApiProblem('override-expired', `Override ${id} expired before anybody approved it.`);
  }
}

import { catalogKey } from '../addresses.ts';
import { catalogToActOn } from '../catalog-lookup.ts';
import { createdId } from '../created-id.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { Overridden, OverrideBody } from '../schemas/control.ts';
import { decideHeaders } from '../schemas/decision.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { wakeReview } from '../wake-review.ts';

const refusals = {
  'not-held': 'The catalog is not held: the guard lets its removals go on.',
  'nothing-held': 'The held round has no finding that could be removed.',
  'expiry-in-the-past': 'The override would be over before it begins.',
} as const;

/**
 * `POST …/override`, body `{maxCount, expiresInSecs, reason}` and optional header `Idempotency-Key`: a person's leave for
 * what the guard holds *now*, by finding and evidence, up to `maxCount` registrations, until it expires. Whatever comes
 * later is held anew, and every other condition of a removal stays. Problems: `nothing-held`, `no-such-catalog`,
 * `no-such-metalake`, `ledger-unavailable`.
 */
export function overrideRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  app.post(
    '/metalakes/:metalake/catalogs/:catalog/override',
    {
      config: { problems: ['nothing-held'] },
      schema: {
        summary: 'Let held findings go, up to a count, until it expires',
        params: catalogParams,
        headers: decideHeaders,
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
      log.info({ catalog: key, actor, override: id, admits: answer.admits, maxCount, expiresAt }, 'override');
      const woken = await wakeReview(deps.gateway, params, 'override', log);
      return {
        catalog: catalogStanding(params, await ledger.catalogs.catalog(key)),
        woken,
        override: { id, admits: answer.admits, maxCount, expiresAt },
      };
    },
  );
}

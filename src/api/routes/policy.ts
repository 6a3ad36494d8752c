import { z } from 'zod';
import type { CatalogName } from '../../contract/names.ts';
import { catalogKey } from '../addresses.ts';
import { catalogToActOn, catalogToRead } from '../catalog-lookup.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { pageQuery } from '../schemas/page.ts';
import { PolicyChangeBody, PolicyChanged, PolicyVersionPage, PolicyView, policyHeaders } from '../schemas/policy.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { policyVersionView, policyView } from '../views/policy-view.ts';
import { wakeReview } from '../wake-review.ts';

const Position = z.tuple([z.literal('policy'), z.int()]);

/**
 * - `GET …/policy`: the policy in force, with its version as `ETag`; version 0 is the default, report-only. Lengths are
 *   milliseconds, shares parts of 1.
 * - `PATCH …/policy`, body `{change, reason}`, headers `If-Match` and optional `Idempotency-Key`: changes some of it, as a new
 *   version. It holds until the configuration says something else for this catalog and `schedules apply` writes that. What
 *   the configuration guards it cannot give up; a stricter policy voids approvals; announced times stay.
 * - `GET …/policy/versions?limit&cursor`: every version, newest first: who wrote it, when and why, and what it changed.
 *
 * Problems: `policy-moved-on`, `unsafe-policy`, `invalid-cursor`, `no-such-metalake`, `no-such-catalog`, `ledger-unavailable`.
 */
export function policyRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  const url = '/metalakes/:metalake/catalogs/:catalog/policy';

  app.get(
    url,
    {
      config: { action: 'read' },
      schema: { summary: 'The policy in force', params: catalogParams, response: { 200: PolicyView } },
    },
    async ({ params }, reply) => {
      await catalogToRead(deps, params);
      const view = await inForce(params);
      reply.header('etag', `"${view.version}"`);
      return view;
    },
  );

  app.patch(
    url,
    {
      config: { action: 'operate', idempotency: 'once', problems: ['policy-moved-on', 'unsafe-policy'] },
      schema: {
        summary: 'Change the policy in force',
        params: catalogParams,
        headers: policyHeaders,
        body: PolicyChangeBody,
        response: { 200: PolicyChanged },
      },
    },
    async ({ params, headers, body: { change, reason }, actor, log }, reply) => {
      refusePatterns(change);
      const catalog = catalogKey(params);
      const record = await catalogToActOn(deps, params);
      const now = clock();
      if (record === undefined) await ledger.catalogs.ensure(params.metalake, params.catalog, now);
      const seenVersion = Number(headers['if-match'].replaceAll('"', ''));
      const answer = await ledger.catalogs.changePolicy({ catalog, seenVersion, change, actor, reason, now });
      if (answer.answer === 'other-version') {
        throw new ApiProblem(
          'policy-moved-on',
          `Version ${seenVersion} was seen, and version ${answer.version} is in force.`,
        );
      }
      if (answer.answer === 'unsafe') throw new ApiProblem('unsafe-policy', answer.flaw);
      log.info({ actor, version: answer.version }, 'policy changed');
      const woken = await wakeReview(deps.gateway, params, 'policy', log);
      const view = await inForce(params);
      reply.header('etag', `"${view.version}"`);
      return { ...view, woken };
    },
  );

  app.get(
    `${url}/versions`,
    {
      config: { action: 'read', problems: ['invalid-cursor'] },
      schema: {
        summary: 'Every version of the policy, newest first',
        params: catalogParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: PolicyVersionPage },
      },
    },
    async ({ params, query: { limit, cursor } }) => {
      await catalogToRead(deps, params);
      const before = cursor === undefined ? undefined : decodeCursor(cursor, Position)[1];
      const page = { limit, ...(before === undefined ? {} : { before }) };
      const versions = await ledger.catalogs.policyVersions(catalogKey(params), page);
      const last = versions.length === limit ? versions.at(-1) : undefined;
      return {
        versions: versions.map(policyVersionView),
        ...(last === undefined ? {} : { next: encodeCursor(['policy', last.version]) }),
      };
    },
  );

  async function inForce(name: CatalogName): Promise<PolicyView> {
    const key = catalogKey(name);
    const [latest] = await ledger.catalogs.policyVersions(key, { limit: 1 });
    return policyView(latest ?? { ...(await ledger.catalogs.policy(key)), changedOverApi: false });
  }

  /** A pattern that silently matched nothing would unprotect what it names. */
  function refusePatterns(change: PolicyChangeBody['change']): void {
    for (const list of ['include', 'exclude', 'protect'] as const) {
      for (const pattern of change[list] ?? []) {
        const flaw = deps.patternProblem(pattern);
        if (flaw !== undefined) {
          throw new ApiProblem('unsafe-policy', `${list}: the pattern ${JSON.stringify(pattern)} ${flaw}.`);
        }
      }
    }
  }
}

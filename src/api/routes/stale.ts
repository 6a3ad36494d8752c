import { z } from 'zod';
import { type Path, parsePathText, pathText } from '../../domain/path.ts';
import type { FindingQuery, FindingRecord } from '../../ledger/ledger.ts';
import { catalogKey } from '../addresses.ts';
import { catalogToRead } from '../catalog-lookup.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { pathField } from '../path-field.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { SelectionView, selectionQuery } from '../schemas/decision.ts';
import { FindingDetail, FindingView, StalePage, staleQuery } from '../schemas/finding.ts';
import { Id, catalogParams } from '../schemas/text.ts';
import { selectionOf } from '../selected-decisions.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { decisionView } from '../views/decision-view.ts';
import { findingView } from '../views/finding-view.ts';
import { soundRows } from '../views/sound-rows.ts';

/** A finding is rarely decided more than a few times. */
const decisionsShown = 100;

const Position = z.tuple([z.literal('stale'), z.string(), Id]);

/**
 * What is stale, from the ledger alone, so that it is answered while Temporal is away:
 *
 * - `GET …/stale?kind&verdict&state&path&limit&cursor`: findings of every kind in order of path, by default open ones
 *   that nobody rejected;
 * - `GET …/stale/selection?action&kind&verdict&under`: how many open findings the action could change, and the digest with
 *   which a decision on all of them is sent;
 * - `GET …/stale/{findingId}`: one of them with its attachments in full, its decisions and its history.
 *
 * Problems: `no-such-metalake`, `no-such-catalog`, `no-such-finding`, `invalid-cursor`, `ledger-unavailable`.
 */
export function staleRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  const base = '/metalakes/:metalake/catalogs/:catalog/stale';

  app.get(
    base,
    {
      config: { action: 'read', problems: ['invalid-cursor'] },
      schema: {
        summary: 'Stale registrations with their evidence, page by page',
        params: catalogParams,
        querystring: staleQuery,
        response: { 200: StalePage },
      },
    },
    async ({ params, query, log }) => {
      const { limit } = query;
      const now = clock();
      const [record, { policy }, removed, rejected] = await Promise.all([
        catalogToRead(deps, params),
        ledger.catalogs.policy(catalogKey(params)),
        ledger.removals.removed(catalogKey(params), now),
        ledger.findings.rejected(catalogKey(params)),
      ]);
      const rows = await findingsOf(catalogKey(params), query, now);
      const backdrop = { policy, canRepoint: canRepoint(params.metalake), removed, now };
      const { sound, broken } = soundRows(rows, (row) => findingView(row, backdrop), FindingView);
      if (broken.length > 0) log.error({ catalog: catalogKey(params), broken }, 'findings on record cannot be shown');
      const last = query.path === undefined && rows.length === limit ? rows.at(-1) : undefined;
      const { misses, graceMs, minimumAgeMs } = policy;
      return {
        catalog: catalogStanding(params, record),
        needs: { misses, graceMs, minimumAgeMs },
        rejected,
        findings: sound,
        broken,
        ...(last === undefined ? {} : { next: encodeCursor(['stale', pathText(last.path), last.id]) }),
      };
    },
  );

  app.get(
    `${base}/selection`,
    {
      config: { action: 'read' },
      schema: {
        summary: 'How many open findings a decision on all of them would be about',
        params: catalogParams,
        querystring: selectionQuery,
        response: { 200: SelectionView },
      },
    },
    async ({ params, query: { action, ...filter } }) => {
      await catalogToRead(deps, params);
      const { count, digest } = await selectionOf(deps, params, action, filter, 'query');
      return { count, digest };
    },
  );

  app.get(
    `${base}/:findingId`,
    {
      config: { action: 'read', problems: ['no-such-finding'] },
      schema: {
        summary: 'One stale registration with its decisions and history',
        params: catalogParams.extend({ findingId: Id }),
        response: { 200: FindingDetail },
      },
    },
    async ({ params }) => {
      const key = catalogKey(params);
      const now = clock();
      const record = await catalogToRead(deps, params);
      const finding = await ledger.findings.finding(params.findingId, now);
      if (finding === undefined || finding.catalog !== key) {
        throw new ApiProblem('no-such-finding', `Catalog ${key} has no finding ${params.findingId}.`);
      }
      const [{ policy }, removed, decisions, history] = await Promise.all([
        ledger.catalogs.policy(key),
        ledger.removals.removed(key, now),
        ledger.decisions.decisions(key, { finding: finding.id, limit: decisionsShown }, now),
        ledger.findings.history(finding.id),
      ]);
      return {
        catalog: catalogStanding(params, record),
        finding: findingView(finding, { policy, canRepoint: canRepoint(params.metalake), removed, now }),
        attachments: attachmentsOf(finding),
        decisions: decisions.map(decisionView),
        history: [...history],
      };
    },
  );

  const canRepoint = (metalake: string): boolean => deps.registries(metalake)?.capabilities.repoint === true;

  async function findingsOf(
    catalog: string,
    { path, cursor, state, kind, verdict, limit }: z.infer<typeof staleQuery>,
    now: number,
  ): Promise<readonly FindingRecord[]> {
    if (path !== undefined) {
      const found = await ledger.findings.openAt(catalog, pathField('query.path', path), now);
      return found === undefined ? [] : [found];
    }
    const after = cursor === undefined ? undefined : positionOf(cursor);
    return ledger.findings.page(
      {
        catalog,
        limit,
        ...stateOf(state),
        ...(kind === undefined ? {} : { kind }),
        ...(verdict === undefined ? {} : { verdict }),
        ...(after === undefined ? {} : { after }),
      },
      now,
    );
  }
}

/** What a person rejected is open on record, and settled for whoever reads what is open. */
function stateOf(state: z.infer<typeof staleQuery>['state']): Pick<FindingQuery, 'state' | 'rejected'> {
  switch (state) {
    case 'open':
      return { state: 'open', rejected: false };
    case 'rejected':
      return { state: 'open', rejected: true };
    case 'closed':
      return { state: 'closed' };
    case 'all':
      return {};
  }
}

function positionOf(cursor: string): { readonly path: Path; readonly id: string } {
  const [, text, id] = decodeCursor(cursor, Position);
  const path = parsePathText(text);
  if (path === undefined) throw new ApiProblem('invalid-cursor', 'The cursor cannot be read.');
  return { path, id };
}

function attachmentsOf({ attachments }: FindingRecord): z.infer<typeof FindingDetail>['attachments'] {
  if (attachments === 'unseen') return attachments;
  const { owner, comment, tags, policies, grants, properties, secrets } = attachments;
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(comment === undefined ? {} : { comment }),
    tags: [...tags],
    policies: [...policies],
    grants: [...grants],
    properties,
    ...(secrets === undefined ? {} : { secrets: [...secrets] }),
  };
}

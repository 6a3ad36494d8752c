import { z } from 'zod';
import { catalogKey } from '../addresses.ts';
import { catalogToRead } from '../catalog-lookup.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { roundDetail } from '../round-detail.ts';
import { roundParams } from '../round-lookup.ts';
import { pageQuery } from '../schemas/page.ts';
import { RoundDetail, RoundPage } from '../schemas/round.ts';
import { Id, catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { roundView } from '../views/round-view.ts';

const RoundPosition = z.tuple([z.literal('rounds'), Id]);

/**
 * - `GET …/rounds?limit&cursor`: rounds and dry scans, newest first.
 * - `GET …/rounds/{roundId}`: one of them; while it runs, with what its workflow says. `from` tells who answered.
 *
 * All from the ledger; only live progress needs Temporal, and its absence is told, not an error. Problems:
 * `no-such-metalake`, `no-such-catalog`, `no-such-round`, `invalid-cursor`, `ledger-unavailable`.
 */
export function roundRoutes(app: ApiServer, deps: ApiDeps): void {
  const { rounds } = deps.ledger;
  const base = '/metalakes/:metalake/catalogs/:catalog/rounds';

  app.get(
    base,
    {
      config: { action: 'read', problems: ['invalid-cursor'] },
      schema: {
        summary: 'Rounds and dry scans, newest first',
        params: catalogParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: RoundPage },
      },
    },
    async ({ params, query: { limit, cursor } }) => {
      await catalogToRead(deps, params);
      const after = cursor === undefined ? undefined : decodeCursor(cursor, RoundPosition)[1];
      const page = await rounds.rounds(catalogKey(params), { limit, ...(after === undefined ? {} : { after }) });
      const last = page.length === limit ? page.at(-1) : undefined;
      return {
        rounds: page.map(roundView),
        ...(last === undefined ? {} : { next: encodeCursor(['rounds', last.id]) }),
      };
    },
  );

  app.get(
    `${base}/:roundId`,
    {
      config: { action: 'read', problems: ['no-such-round'] },
      schema: { summary: 'One round, live while it runs', params: roundParams, response: { 200: RoundDetail } },
    },
    async ({ params }) => roundDetail(deps, params),
  );
}

import { z } from 'zod';
import { catalogKey } from '../addresses.ts';
import { catalogToRead } from '../catalog-lookup.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { pageQuery } from '../schemas/page.ts';
import { RemovalPage } from '../schemas/removal.ts';
import { Id, Time, catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { removalView } from '../views/removal-view.ts';

const Position = z.tuple([z.literal('removals'), Time, Id]);

/**
 * `GET …/removals?limit&cursor`: what was removed or re-pointed, or why it was not, newest first, by whom and on which
 * evidence.
 * Problems: `no-such-metalake`, `no-such-catalog`, `invalid-cursor`, `ledger-unavailable`.
 */
export function removalRoutes(app: ApiServer, deps: ApiDeps): void {
  app.get(
    '/metalakes/:metalake/catalogs/:catalog/removals',
    {
      config: { action: 'read', problems: ['invalid-cursor'] },
      schema: {
        summary: 'Removals and re-pointings with their outcomes, newest first',
        params: catalogParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: RemovalPage },
      },
    },
    async ({ params, query: { limit, cursor } }) => {
      await catalogToRead(deps, params);
      const after = cursor === undefined ? undefined : positionOf(cursor);
      const removals = await deps.ledger.removals.page({
        catalog: catalogKey(params),
        limit,
        ...(after === undefined ? {} : { after }),
      });
      const last = removals.length === limit ? removals.at(-1) : undefined;
      return {
        removals: removals.map(removalView),
        ...(last === undefined ? {} : { next: encodeCursor(['removals', last.at, last.id]) }),
      };
    },
  );
}

function positionOf(cursor: string): { readonly at: number; readonly id: string } {
  const [, at, id] = decodeCursor(cursor, Position);
  return { at, id };
}

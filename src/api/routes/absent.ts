import { z } from 'zod';
import { type Path, parsePathText, pathText } from '../../domain/path.ts';
import type { RoundLedger, RoundRecord } from '../../ledger/ledger.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { noSuchRound, roundOnRecord, roundParams } from '../round-lookup.ts';
import { AbsentPage, absentQuery } from '../schemas/round.ts';
import type { ApiServer } from '../server.ts';

const Position = z.tuple([z.literal('absent'), z.string()]);

/**
 * `GET …/rounds/{roundId}/absent?kind&limit&cursor`: registrations that the scan of a round found absent, in order of
 * path; the only place that tells what a dry scan found beyond schemas. Problems: `no-such-round`,
 * `round-inconclusive`, `verdicts-gone`, `invalid-cursor`, `ledger-unavailable`.
 */
export function absentRoutes(app: ApiServer, deps: ApiDeps): void {
  const { rounds } = deps.ledger;
  app.get(
    '/metalakes/:metalake/catalogs/:catalog/rounds/:roundId/absent',
    {
      config: { action: 'read', problems: ['no-such-round', 'round-inconclusive', 'verdicts-gone', 'invalid-cursor'] },
      schema: {
        summary: 'Registrations that the scan of a round found absent',
        params: roundParams,
        querystring: absentQuery,
        response: { 200: AbsentPage },
      },
    },
    async ({ params, query: { limit, cursor, kind } }) => {
      const round = await roundOnRecord(deps, params);
      if (round === undefined) throw noSuchRound(params);
      refuseInconclusive(round);
      const after = cursor === undefined ? undefined : positionOf(cursor);
      const rows = await rounds.absent(round.id, {
        limit,
        ...(kind === undefined ? {} : { kind }),
        ...(after === undefined ? {} : { after }),
      });
      if (rows.length === 0) await refuseEmptySuccess(rounds, round);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        state: round.state,
        absent: rows.map((row) => ({
          registration: row.entity,
          kind: row.kind,
          path: pathText(row.path),
          probedAt: row.probedAt,
          ...(row.firstMissedAt === undefined ? {} : { firstMissedAt: row.firstMissedAt }),
          removed: row.removed,
        })),
        ...(last === undefined ? {} : { next: encodeCursor(['absent', pathText(last.path)]) }),
      };
    },
  );
}

/** What a round saw before it broke off is not a conclusion, and nobody may take it for one. */
function refuseInconclusive({ id, state, reason }: RoundRecord): void {
  if (state === 'running' || state === 'published' || state === 'scanned') return;
  throw new ApiProblem('round-inconclusive', `Round ${id} ended as ${state}.`, reason === undefined ? {} : { reason });
}

/** Verdicts of older rounds are deleted; an empty list would then say that nothing was absent. */
async function refuseEmptySuccess(rounds: RoundLedger, { id, counts }: RoundRecord): Promise<void> {
  if ((counts?.verdicts.absent ?? 0) === 0) return;
  if ((await rounds.absent(id, { limit: 1 })).length > 0) return;
  throw new ApiProblem('verdicts-gone', `The verdicts of round ${id} are no longer kept.`);
}

function positionOf(cursor: string): Path {
  const path = parsePathText(decodeCursor(cursor, Position)[1]);
  if (path === undefined) throw new ApiProblem('invalid-cursor', 'The cursor cannot be read.');
  return path;
}

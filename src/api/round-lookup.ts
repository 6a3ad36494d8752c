import type { z } from 'zod';
import type { RoundRecord } from '../ledger/ledger.ts';
import { catalogKey } from './addresses.ts';
import { catalogToRead } from './catalog-lookup.ts';
import type { ApiDeps } from './deps.ts';
import { ApiProblem } from './problems/api-problem.ts';
import { Id, catalogParams } from './schemas/text.ts';

export const roundParams = catalogParams.extend({ roundId: Id });
export type RoundParams = z.infer<typeof roundParams>;

/** The round on record, of this very catalog. Throws problem `no-such-catalog` or `no-such-metalake`. */
export async function roundOnRecord(deps: ApiDeps, params: RoundParams): Promise<RoundRecord | undefined> {
  await catalogToRead(deps, params);
  const round = await deps.ledger.rounds.round(params.roundId);
  return round?.catalog === catalogKey(params) ? round : undefined;
}

export function noSuchRound(params: RoundParams): ApiProblem {
  return new ApiProblem('no-such-round', `Catalog ${catalogKey(params)} has no round ${params.roundId} on record.`);
}

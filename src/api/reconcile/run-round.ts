import type { FastifyBaseLogger } from 'fastify';
import type { CatalogName } from '../../contract/names.ts';
import type { RoundResult } from '../../contract/round-messages.ts';
import type { Actor } from '../../domain/actor.ts';
import { impossible } from '../../domain/impossible.ts';
import { catalogKey, roundAddress } from '../addresses.ts';
import { catalogToActOn } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { GatewayUnavailable, type RoundRun } from '../gateway.ts';
import type { RoundStarted, StaleSchemas } from '../schemas/reconcile.ts';
import { type Patience, lookEveryMs, lookUntil, orPatienceEnds } from './patience.ts';
import { roundProblem } from './round-problem.ts';
import { absentSchemas, staleSchemas, unreachableCatalog, withRemovals } from './stale-schemas.ts';

export type RoundAnswer =
  | { readonly status: 200; readonly body: StaleSchemas }
  | { readonly status: 202; readonly body: RoundStarted };

/**
 * Starts a round or a dry scan, or joins the one that runs, and waits for it. 202 when it outlasts the wait: it goes on
 * by itself. Throws a problem where it came to no conclusion.
 */
export async function runRound(
  deps: ApiDeps,
  name: CatalogName,
  how: {
    readonly dry: boolean;
    readonly actor: Actor;
    readonly waiting: Patience;
    readonly log: FastifyBaseLogger;
  },
): Promise<RoundAnswer> {
  const { dry, actor, waiting, log } = how;
  await catalogToActOn(deps, name);
  const run = await deps.gateway.startRound(name, { dry, actor });
  // from here on lines name the round, not the request: this one leads from one to the other
  log.info({ round: run.roundId, dry, joined: run.joined, actor: actor.name }, 'round asked for');
  const leftMs = waiting.leftMs();
  // who will not wait gets the address, always: that is how progress is followed
  const result = leftMs === 0 ? undefined : await orPatienceEnds(resultOf(deps, run, leftMs), waiting);
  if (result === undefined) return { status: 202, body: started(name, run, dry) };
  switch (result.end) {
    case 'published':
    case 'scanned':
      return { status: 200, body: staleSchemas(name.catalog, await schemasOf(deps, name, result, waiting)) };
    case 'unreachable':
      return { status: 200, body: unreachableCatalog(name.catalog) };
    case 'incomplete':
    case 'failed':
    case 'source-changed':
    case 'cancelled':
      throw roundProblem(result.end, result.reason);
    default:
      return impossible(result.end);
  }
}

/** Once the round was started, losing sight of it is no error of the request: the round goes on. */
async function resultOf({ gateway }: ApiDeps, run: RoundRun, waitMs: number): Promise<RoundResult | undefined> {
  try {
    return await gateway.awaitRound(run, waitMs);
  } catch (error) {
    if (error instanceof GatewayUnavailable) return undefined;
    throw error;
  }
}

/** The absent schemas; where the round made removals due, as they are after these or when the wait is over. */
async function schemasOf(deps: ApiDeps, name: CatalogName, result: RoundResult, waiting: Patience) {
  const { ledger, clock } = deps;
  const first = await absentSchemas(ledger.rounds, result.roundId);
  if (result.end !== 'published' || result.due === 0) return first;
  const look = async () => {
    const { step } = await ledger.removals.next(catalogKey(name), clock());
    const seen = withRemovals(first, await absentSchemas(ledger.rounds, result.roundId));
    const working = step !== 'wait' && step !== 'done';
    return { done: !working || seen.every((row) => row.removed), seen };
  };
  return lookUntil(look, waiting, deps.lookEveryMs ?? lookEveryMs);
}

function started(name: CatalogName, run: RoundRun, dryRun: boolean): RoundStarted {
  const round = roundAddress(name, run.roundId);
  return {
    catalog: name.catalog,
    roundId: run.roundId,
    dryRun,
    joined: run.joined,
    round,
    absent: `${round}/absent`,
  };
}

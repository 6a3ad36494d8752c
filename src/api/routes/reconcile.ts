import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { clientGone } from '../plugins/client-gone.ts';
import { patience } from '../reconcile/patience.ts';
import { askAgainSeconds, preferredWaitMs } from '../reconcile/prefer.ts';
import type { ProblemType } from '../problems/problem-types.ts';
import { type RoundAnswer, runRound } from '../reconcile/run-round.ts';
import { ReconcileBody, RoundStarted, StaleSchemas, preferHeader } from '../schemas/reconcile.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';

const response = { 200: StaleSchemas, 202: RoundStarted };

const config = {
  action: 'reconcile' as const,
  problems: [
    'temporal-unavailable',
    'no-worker',
    'round-failed',
    'round-incomplete',
    'source-changed',
    'round-cancelled',
    'cannot-be-right',
  ] satisfies ProblemType[],
};

/**
 * The two endpoints that scan at once, whether or not the catalog's schedule is enabled, under its policy:
 *
 * - `POST /metalakes/{metalake}/catalogs/{catalog}/reconcile`, body `{dryRun?}`, header `Idempotency-Key`: a round, or a dry scan;
 * - `GET /metalakes/{metalake}/catalogs/{catalog}/stale-schemas`: a dry scan.
 *
 * Both answer 200 with {@link StaleSchemas}, or 202 with the round's address where it outlasts `Prefer: wait=N`
 * seconds. Problems: `no-such-metalake`, `no-such-catalog`, `temporal-unavailable` and `no-worker` (nothing was started), and
 * `round-failed`, `round-incomplete`, `source-changed`, `round-cancelled` where the round came to no conclusion.
 */
export function reconcileRoutes(app: ApiServer, deps: ApiDeps, over: AbortSignal): void {
  const base = '/metalakes/:metalake/catalogs/:catalog';
  app.post(
    `${base}/reconcile`,
    {
      config: { ...config, idempotency: 'once' },
      schema: {
        summary: 'Run a round, or a dry scan, and tell which schemas are stale',
        params: catalogParams,
        headers: preferHeader.extend(keyHeaders.shape),
        body: ReconcileBody,
        response,
      },
    },
    async (request, reply) => {
      const { params, headers, body } = request;
      return send(reply, await run({ request, reply }, params, headers.prefer, body.dryRun ?? false));
    },
  );
  app.get(
    `${base}/stale-schemas`,
    {
      config,
      schema: {
        summary: 'Scan now, without judging or removing, and tell which schemas are stale',
        params: catalogParams,
        headers: preferHeader,
        response,
      },
    },
    async (request, reply) => send(reply, await run({ request, reply }, request.params, request.headers.prefer, true)),
  );

  async function run(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    name: { metalake: string; catalog: string },
    prefer: string | undefined,
    dry: boolean,
  ): Promise<RoundAnswer> {
    const ends = AbortSignal.any([clientGone(reply), over]);
    return runRound(deps, name, {
      dry,
      actor: request.actor,
      waiting: patience(preferredWaitMs(prefer), ends),
      log: request.log,
    });
  }
}

function send(reply: FastifyReply, { status, body }: RoundAnswer) {
  reply.code(status);
  if (status === 202) reply.header('location', body.round).header('retry-after', askAgainSeconds);
  return body;
}

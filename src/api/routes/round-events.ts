import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { clientGone } from '../plugins/client-gone.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { type EventTimes, defaultEventTimes, roundEvents } from '../progress/round-events.ts';
import { sharedLooks } from '../progress/shared-looks.ts';
import { roundDetail } from '../round-detail.ts';
import { roundParams } from '../round-lookup.ts';
import { RoundEvent } from '../schemas/round.ts';
import type { ApiServer } from '../server.ts';

/** Each holds a connection, and some memory, for as long as half an hour. */
const streamsAtOnce = 64;

/** Whoever is refused asks for the round itself meanwhile. */
const tryAgainSeconds = 10;

/**
 * `GET …/rounds/{roundId}/events`: the progress of a running round, as server-sent events (`text/event-stream`), until it
 * ends: `progress`, `end`, `over`. From the ledger and from the round's own workflow; while no worker answers, `progress`
 * says so and the stream goes on. It ends after half an hour, and when the process does. Problems: `no-such-round`,
 * `no-such-metalake`, `no-such-catalog`, `too-busy` (so many streams are open already), `ledger-unavailable`.
 */
export function roundEventRoutes(app: ApiServer, deps: ApiDeps, leaving: AbortSignal): void {
  let open = 0;
  const times: EventTimes = deps.eventTimes ?? defaultEventTimes;
  const look = sharedLooks(
    (params: Parameters<typeof roundDetail>[1]) => roundDetail(deps, params),
    times.lookEveryMs / 2,
  );
  app.get(
    '/metalakes/:metalake/catalogs/:catalog/rounds/:roundId/events',
    {
      config: { action: 'read', problems: ['no-such-round'] },
      // a stream that ends with its round has no head to tell of it
      exposeHeadRoute: false,
      schema: {
        summary: 'Progress of a round as server-sent events, until it ends',
        params: roundParams,
        response: {
          200: { description: 'A stream of events', content: { 'text/event-stream': { schema: RoundEvent } } },
        },
      },
    },
    async ({ params, log }, reply) => {
      if (open >= streamsAtOnce) {
        throw new ApiProblem('too-busy', `${streamsAtOnce} streams of events are open already.`, {
          retryAfterSeconds: tryAgainSeconds,
        });
      }
      open += 1;
      reply.raw.once('close', () => {
        open -= 1;
      });
      // before the first byte, so that a round that does not exist is a problem like everywhere
      const first = await look(params);
      const events = roundEvents(
        first,
        { look: () => look(params), clock: deps.clock, gone: clientGone(reply), leaving, log },
        times,
      );
      // typed by its schema, an event; what is sent is the text of all of them, bit by bit
      const untyped: FastifyReply = reply as never;
      return untyped
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no') // a proxy that collects would show nothing until the end
        .send(Readable.from(events, { objectMode: false })) as never;
    },
  );
}

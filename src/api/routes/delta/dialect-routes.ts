import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { RouteAction } from '../../plugins/authorize.ts';
import { collectMethods } from '../../plugins/other-methods.ts';
import { shownPath } from '../../problems/send-problem.ts';
import type { ApiServer } from '../../server.ts';
import { keepBodies } from './delta-body.ts';

/** A table of ten thousand columns takes about 2 MB, and all of it comes in one request. */
const bodyLimit = 8_388_608;

/** How one published API tells what it answers. */
interface Dialect<Answer> {
  readonly send: (reply: FastifyReply, answer: Answer) => FastifyReply;
  /** Every failure leaves through here, in the API's own envelope. */
  readonly sendFailure: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

/** Adds one route below the dialect's address. */
export type AddRoute<Answer> = (
  method: HTTPMethods,
  url: string,
  action: RouteAction,
  answer: (request: FastifyRequest) => Promise<Answer>,
) => void;

/**
 * The routes of an API that others publish, below the prefix that the app chooses. They are not in our OpenAPI document:
 * clients are generated from the published description, and a second one here would only differ from it.
 */
export function dialectRoutes<Answer>(
  app: ApiServer,
  { send, sendFailure }: Dialect<Answer>,
  addAll: (add: AddRoute<Answer>) => void,
): void {
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${shownPath(request.url)}.`;
    sendFailure(new DeltaError('NotFound', message), request, reply);
  });
  keepBodies(app);
  const refuseOtherMethods = collectMethods(app);
  addAll((method, url, action, answer) => {
    app.route({
      method,
      url,
      bodyLimit,
      exposeHeadRoute: false,
      config: { action },
      schema: { hide: true },
      handler: async (request, reply) => send(reply, await answer(request)),
    });
  });
  refuseOtherMethods();
}

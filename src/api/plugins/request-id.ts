import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiServer } from '../server.ts';

/** A caller's own id is kept where it is harmless in a log line, so that one id leads through several services. */
const acceptable = /^[\w.:-]{1,100}$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

/** Every answer names its request; one line a request on DEBUG, since INFO is for rounds and decisions. */
export function addRequestIds(app: ApiServer): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    request.log.debug(
      { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
}

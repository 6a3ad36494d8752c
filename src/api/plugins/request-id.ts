import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pathText } from '../../domain/path.ts';
import type { ApiServer } from '../server.ts';

/** A caller's own id is kept where it is harmless in a log line, so that one id leads through several services. */
const acceptable = /^[\w.:-]{1,100}$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

/** Every answer names its request, and every line its request and catalog; one line a request on DEBUG, since INFO is for rounds and decisions. */
export function addRequestIds(app: ApiServer): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const catalog = catalogOf(request.params);
    if (catalog === undefined) return;
    request.log = request.log.child({ catalog });
    reply.log = request.log;
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    request.log.debug(
      { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
}

/** The key of the catalog that an address names, whether or not there is one. */
function catalogOf(params: unknown): string | undefined {
  const { metalake, catalog } = (params ?? {}) as Readonly<Record<string, unknown>>;
  return typeof metalake === 'string' && typeof catalog === 'string' ? pathText([metalake, catalog]) : undefined;
}

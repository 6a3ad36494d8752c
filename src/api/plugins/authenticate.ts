import type { FastifyReply } from 'fastify';
import type { Actor } from '../../domain/actor.ts';
import type { Principal } from '../../domain/permission.ts';
import type { Authenticator } from '../credentials/authenticator.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';
import { claimedName } from './claimed-name.ts';
import type { CountRequest } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; verified where a token proved the name. */
    actor: Actor;
    /** Whose token it is; absent while no credential is configured, and on public routes. */
    principal: Principal | undefined;
  }
}

/** RFC 6750; the name of the scheme counts in any case. */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Gives every request of a route that is not public its actor, `via` the command line where header `x-actor-via` is
 * `cli`. With credentials: whose bearer token it is, else problem `unauthenticated`; header `x-actor` says nothing then.
 * Without: the name that `x-actor` claims, or the default.
 *
 * @param count tokens that prove nobody count for the address that they come from
 */
export function authenticate(
  app: ApiServer,
  authenticator: Authenticator | undefined,
  defaultName: string,
  count: CountRequest,
): void {
  app.decorateRequest('actor');
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.action === 'public') return;
    const via = request.headers['x-actor-via'] === 'cli' ? 'cli' : 'api';
    if (authenticator === undefined) {
      request.actor = { name: claimedName(request.headers['x-actor']) ?? defaultName, verified: false, via };
      return;
    }
    const principal = await principalOf(request.headers.authorization, authenticator, reply).catch(async (error) => {
      await count(request);
      throw error;
    });
    request.principal = principal;
    request.actor = { name: principal.name, verified: true, via };
  });
}

async function principalOf(
  header: string | undefined,
  authenticator: Authenticator,
  reply: FastifyReply,
): Promise<Principal> {
  if (header === undefined) {
    reply.header('www-authenticate', challenge);
    throw new ApiProblem('unauthenticated', 'The request carries no token.');
  }
  const token = bearer.exec(header)?.[1];
  const answer = token === undefined ? { refused: 'The header is not `Bearer TOKEN`.' } : await authenticator(token);
  if ('principal' in answer) return answer.principal;
  reply.header('www-authenticate', `${challenge}, error="invalid_token"`);
  throw new ApiProblem('unauthenticated', answer.refused);
}

const challenge = 'Bearer realm="catalog-reconciler"';

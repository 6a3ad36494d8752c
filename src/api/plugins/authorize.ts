import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Action, may, mayByRole, ownersMay, rolesFor } from '../../domain/permission.ts';
import { Name } from '../schemas/text.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

/** What a route does, or `public`: for everybody, without a token. */
export type RouteAction = Action | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required of every route: the server does not start with one that does not say. */
    action?: RouteAction;
  }
}

const Scope = z.object({ metalake: Name, catalog: Name.exactOptional() });

/** Names of the owners of a metalake and, where one is named, of a catalog in it; nobody where these do not exist. */
export type OwnersOf = (metalake: string, catalog?: string) => Promise<readonly string[]>;

/**
 * Refuses with problem `forbidden` what a principal may do neither by role nor by ownership, before anything of the body
 * is read. To be called after `authenticate` and before the first route.
 */
export function authorize(app: ApiServer, ownersOf: OwnersOf): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.action === undefined) throw new Error(`route ${String(method)} ${url} does not say its action`);
  });
  app.addHook('onRequest', async (request) => {
    const asked = open(request);
    if (asked === undefined) return;
    const scope = ownersMay(asked.action) ? scopeOf(request) : undefined;
    const owners = scope === undefined ? [] : await ownersOf(scope.metalake, scope.catalog);
    if (!may(asked.principal, asked.action, owners)) throw forbidden(request);
  });
}

/** What no role of the principal answers yet. */
function open({ principal, routeOptions }: FastifyRequest) {
  const { action } = routeOptions.config;
  if (principal === undefined || action === undefined || action === 'public') return undefined;
  return mayByRole(principal, action) ? undefined : { principal, action };
}

/** What the address names, which nobody has looked at yet: a name that cannot be one has no owner. */
function scopeOf({ params }: FastifyRequest): z.infer<typeof Scope> | undefined {
  const { data } = Scope.safeParse(params);
  return data;
}

function forbidden(request: FastifyRequest): ApiProblem {
  const { action } = request.routeOptions.config;
  if (action === undefined || action === 'public') throw new Error('a public route forbids nothing');
  const wanted = rolesFor[action].map((role) => `\`${role}\``).join(' or ');
  const owned = ownersMay(action) && scopeOf(request) !== undefined;
  const detail = `${request.actor.name} has not the role for this: it takes ${wanted}`;
  return new ApiProblem('forbidden', owned ? `${detail}, or to own the catalog or its metalake.` : `${detail}.`);
}

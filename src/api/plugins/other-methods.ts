import type { HTTPMethods } from 'fastify';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
] as const satisfies HTTPMethods[];

/**
 * A method that an address does not know is 405 with `Allow`, not 404: the address is right. To be called before the
 * first route; the answer registers the refusals, after the last.
 */
export function collectMethods(app: ApiServer): () => void {
  const known = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    known.add(url);
  });
  return () => {
    for (const url of known) {
      // asked of the router, since a route with and without a closing slash is told of once
      const here = methods.filter((method) => app.hasRoute({ method, url }));
      const others = methods.filter((method) => !here.includes(method));
      if (others.length === 0) continue;
      const allow = [...here].sort().join(', ');
      app.route({
        method: others,
        // the hook saw whole addresses; what is registered here gets the prefix again
        url: url.slice(app.prefix.length),
        config: { action: 'public' },
        schema: { hide: true },
        // before anything of the body is looked at
        onRequest: async ({ method }, reply) => {
          reply.header('allow', allow);
          throw new ApiProblem('method-not-allowed', `There is no ${method} at this address, only ${allow}.`);
        },
        handler: async () => undefined,
      });
    }
  };
}

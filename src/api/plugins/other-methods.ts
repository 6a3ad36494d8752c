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
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const here = known.get(url) ?? new Set();
    for (const name of [method].flat()) here.add(name);
    known.set(url, here);
  });
  return () => {
    for (const [url, here] of known) {
      const others = methods.filter((name) => !here.has(name));
      const allow = [...here].sort().join(', ');
      app.route({
        method: others,
        url,
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

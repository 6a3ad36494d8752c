import type { Actor } from '../../domain/actor.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { isPrintable } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; unverified until credentials exist. */
    actor: Actor;
  }
}

/** Longer than any user name or e-mail address; it is stored with every row that the actor causes. */
const maxNameLength = 200;

/**
 * Gives every request its actor: the name in header `x-actor` (UTF-8, 1 to 200 printable characters) or the default,
 * `via` the command line where header `x-actor-via` is `cli`. A header that cannot be a name refuses the request: an
 * audit row under a wrong name is worse than none.
 */
export function addActor(app: ApiServer, defaultName: string): void {
  app.decorateRequest('actor');
  app.addHook('onRequest', async (request) => {
    const via = request.headers['x-actor-via'] === 'cli' ? 'cli' : 'api';
    const header = request.headers['x-actor'];
    const name = header === undefined ? defaultName : nameOf(header);
    request.actor = { name, verified: false, via };
  });
}

function nameOf(header: string | readonly string[]): string {
  const name = typeof header === 'string' ? utf8(header) : undefined;
  if (name === undefined || name.length > maxNameLength || !isPrintable(name)) {
    throw new ApiProblem('invalid-request', 'Not as described: header.x-actor.', {
      errors: [
        { field: 'header.x-actor', message: `one name of 1 to ${maxNameLength} printable characters, in UTF-8` },
      ],
    });
  }
  return name;
}

/** Node reads header bytes as Latin-1; names are sent as UTF-8. */
function utf8(header: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return undefined;
  }
}

import { ApiProblem } from '../problems/api-problem.ts';
import { isActorName, maxActorNameLength } from '../schemas/actor.ts';

/**
 * The name in header `x-actor` (UTF-8, 1 to 200 printable characters); `undefined` without one. A header that cannot be a
 * name refuses the request: an audit row under a wrong name is worse than none.
 */
export function claimedName(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const name = typeof header === 'string' ? utf8(header) : undefined;
  if (!isActorName(name)) {
    throw new ApiProblem('invalid-request', 'Not as described: header.x-actor.', {
      errors: [
        { field: 'header.x-actor', message: `one name of 1 to ${maxActorNameLength} printable characters, in UTF-8` },
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

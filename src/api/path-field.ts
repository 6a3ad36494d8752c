import { type Path, parsePathText } from '../domain/path.ts';
import { ApiProblem } from './problems/api-problem.ts';

/** The path that a field of a request names. */
export function pathField(field: string, text: string): Path {
  const path = parsePathText(text);
  if (path !== undefined) return path;
  const message = 'not a path text: within a name write % as %25 and / as %2F';
  throw new ApiProblem('invalid-request', `Not as described: ${field}.`, { errors: [{ field, message }] });
}

import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';
import { shapeProblem } from './json-shape.ts';

function notAsDescribed(message: string): ApiProblem {
  return new ApiProblem('invalid-request', 'Not as described: body.', { errors: [{ field: 'body', message }] });
}

/**
 * JSON and nothing else: a `text/plain` body is what a foreign page may send without asking first. An announced but
 * empty body counts as none, since clients announce a type for every POST.
 */
export function readJsonOnly(app: ApiServer): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.length === 0) return done(null, undefined);
    const problem = shapeProblem(text);
    if (problem !== undefined) return done(notAsDescribed(problem));
    void parse(request, text, (error, value) => {
      // `null` was sent, so it must not count as a body that was left out
      if (value === null) done(notAsDescribed('null is no request; leave the body out, or send an object'));
      else done(error, value);
    });
  });
}

import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

/** A body of `null` was sent, so it must not count as one that was left out. */
const nullBody = new ApiProblem('invalid-request', 'Not as described: body.', {
  errors: [{ field: 'body', message: 'null is no request; leave the body out, or send an object' }],
});

/**
 * JSON and nothing else: a `text/plain` body is what a foreign page may send without asking first. An announced but
 * empty body counts as none, since clients announce a type for every POST.
 */
export function readJsonOnly(app: ApiServer): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body.toString(), (error, value) => (value === null ? done(nullBody) : done(error, value)));
  });
}

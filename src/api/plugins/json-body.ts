import type { ApiServer } from '../server.ts';

/**
 * JSON and nothing else: a `text/plain` body is what a foreign page may send without asking first. An announced but
 * empty body counts as none, since clients announce a type for every POST.
 */
export function readJsonOnly(app: ApiServer): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body.toString(), done);
  });
}

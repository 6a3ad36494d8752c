import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

/**
 * Until credentials exist, reaching the API is all that it takes to decide. So no page of another site may act through
 * somebody's browser (its requests carry an `Origin`), and an API on loopback serves no name that merely resolves to it.
 */
export function refuseForeigners(app: ApiServer, loopbackOnly: boolean): void {
  app.addHook('onRequest', async (request) => {
    if (loopbackOnly && !isLocal(request.headers.host)) {
      throw new ApiProblem('host-not-local', 'The Host header names another host than this machine.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD' && isForeign(request)) {
      throw new ApiProblem('foreign-origin', 'The request comes from a page of another site.');
    }
  });
}

function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (headers.origin === undefined) return false;
  return hostOf(headers.origin) !== headers.host;
}

function isLocal(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = nameOf(`http://${host}`);
  return name === 'localhost' || name === '[::1]' || (name !== undefined && isIPv4(name) && name.startsWith('127.'));
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function nameOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}

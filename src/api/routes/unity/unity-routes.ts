import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { UnityDesk } from '../../../registries/embedded/lake/unity-desk.ts';
import type { RouteAction } from '../../plugins/authorize.ts';
import { collectMethods } from '../../plugins/other-methods.ts';
import type { ApiServer } from '../../server.ts';
import { deltaContentType } from '../delta/content-type.ts';
import { keepBodies } from '../delta/delta-body.ts';
import { unityCatalogRoutes } from './unity-catalogs.ts';
import { type VendCredentials, unityCredentialRoutes } from './unity-credentials.ts';
import { sendUnityFailure, sendUnityNotFound } from './unity-failure.ts';
import { unitySchemaRoutes } from './unity-schemas.ts';
import { unityTableRoutes } from './unity-tables.ts';

/** Where the Unity Catalog API is, in all its clients. */
export const unityBase = '/api/2.1/unity-catalog';

export interface UnityRoutesDeps {
  readonly desk: UnityDesk;
  readonly vend: VendCredentials;
}

/** What a route answers: JSON, or a text as it is. */
type Answer = (request: FastifyRequest) => Promise<object | string>;

/** Adds one route; what it answers is JSON, or a text where the published API answers with one. */
export type AddRoute = (method: HTTPMethods, url: string, action: RouteAction, answer: Answer) => void;

/** A table of ten thousand columns takes about 2 MB, and all of it comes in one request. */
const bodyLimit = 8_388_608;

/**
 * As much of the Unity Catalog API as clients of its Delta half need around it: catalogs, schemas, tables and temporary
 * credentials, over the embedded registry, with the API's own envelope for failures. Not in our OpenAPI document, since
 * Unity Catalog publishes its own.
 */
export function unityRoutes(app: ApiServer, deps: UnityRoutesDeps): void {
  app.setErrorHandler(sendUnityFailure);
  app.setNotFoundHandler(sendUnityNotFound);
  keepBodies(app);
  const refuseOtherMethods = collectMethods(app);
  const add: AddRoute = (method, url, action, answer) => {
    app.route({
      method,
      url,
      bodyLimit,
      exposeHeadRoute: false,
      config: { action },
      schema: { hide: true },
      handler: async (request, reply) => send(reply, await answer(request)),
    });
  };
  unityCatalogRoutes(add, deps.desk);
  unitySchemaRoutes(add, deps.desk);
  unityTableRoutes(add, deps.desk);
  unityCredentialRoutes(add, deps);
  refuseOtherMethods();
}

function send(reply: FastifyReply, answer: object | string): FastifyReply {
  return reply.type(deltaContentType).send(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

import type { FastifyReply } from 'fastify';
import type { UnityDesk } from '../../../registries/embedded/lake/unity-desk.ts';
import type { ApiServer } from '../../server.ts';
import { deltaContentType } from '../delta/content-type.ts';
import { type AddRoute, dialectRoutes } from '../delta/dialect-routes.ts';
import { unityCatalogRoutes } from './unity-catalogs.ts';
import { type VendCredentials, unityCredentialRoutes } from './unity-credentials.ts';
import { sendUnityFailure } from './unity-failure.ts';
import { unitySchemaRoutes } from './unity-schemas.ts';
import { unityTableRoutes } from './unity-tables.ts';

/** Where the Unity Catalog API is, in all its clients. */
export const unityBase = '/api/2.1/unity-catalog';

export interface UnityRoutesDeps {
  readonly desk: UnityDesk;
  readonly vend: VendCredentials;
}

/** JSON, or a text where the published API answers with one. */
type UnityAnswer = object | string;
export type AddUnityRoute = AddRoute<UnityAnswer>;

/**
 * As much of the Unity Catalog API as clients of its Delta half need around it: catalogs, schemas, tables and temporary
 * credentials, over the embedded registry, with the API's own envelope for failures.
 */
export function unityRoutes(app: ApiServer, deps: UnityRoutesDeps): void {
  dialectRoutes<UnityAnswer>(app, { send, sendFailure: sendUnityFailure }, (add) => {
    unityCatalogRoutes(add, deps.desk);
    unitySchemaRoutes(add, deps.desk);
    unityTableRoutes(add, deps.desk);
    unityCredentialRoutes(add, deps);
  });
}

function send(reply: FastifyReply, answer: UnityAnswer): FastifyReply {
  return reply.type(deltaContentType).send(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { DeltaHandler } from '../../../delta/handler.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import { type JsonObject, jsonText } from '../../../delta/wire/json.ts';
import { mayByRole } from '../../../domain/permission.ts';
import type { RouteAction } from '../../plugins/authorize.ts';
import { collectMethods } from '../../plugins/other-methods.ts';
import type { ApiServer } from '../../server.ts';
import { deltaContentType } from './content-type.ts';
import { nameOf, queryOf, schemaAddress, schemaOf, tableAddress, tableOf } from './delta-address.ts';
import { bodyReader, keepBodies } from './delta-body.ts';
import { type DeltaCaller, callerOf } from './delta-caller.ts';
import { sendDeltaFailure, sendDeltaNotFound } from './send-failure.ts';

/** A table of ten thousand columns takes about 2 MB, and all of it comes in one request. */
const bodyLimit = 8_388_608;

/** What a route answers: JSON, or `undefined` for 204. */
type Answer = (request: FastifyRequest) => Promise<JsonObject | undefined | void>;

/**
 * The Unity Catalog Delta API, below the prefix that the app chooses, with its own envelope for every failure. The routes
 * are not in our OpenAPI document: the API is published by Unity Catalog, whose description clients are generated from,
 * and a second one here would only differ from it.
 */
export function deltaRoutes(app: ApiServer, delta: DeltaHandler<DeltaCaller>): void {
  app.setErrorHandler(sendDeltaFailure);
  app.setNotFoundHandler(sendDeltaNotFound);
  keepBodies(app);
  const refuseOtherMethods = collectMethods(app);
  const route = (method: HTTPMethods, url: string, action: RouteAction, answer: Answer): void => {
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

  route('GET', '/config', 'read', (request) =>
    delta.getConfig(
      { catalog: queryOf(request, 'catalog'), protocolVersions: queryOf(request, 'protocol-versions') },
      callerOf(request),
    ),
  );
  route('POST', `${schemaAddress}/staging-tables`, 'operate', (request) =>
    delta.createStagingTable(schemaOf(request), bodyReader(request), callerOf(request)),
  );
  route('POST', `${schemaAddress}/tables`, 'operate', (request) =>
    delta.createTable(schemaOf(request), bodyReader(request), callerOf(request)),
  );
  // published, but served by nobody
  route('GET', `${schemaAddress}/tables`, 'read', async () => {
    throw new DeltaError('NotImplemented', 'Tables are not listed here.');
  });
  route('GET', tableAddress, 'read', (request) => delta.loadTable(tableOf(request), callerOf(request)));
  route('POST', tableAddress, 'operate', (request) =>
    delta.updateTable(tableOf(request), bodyReader(request), callerOf(request)),
  );
  route('DELETE', tableAddress, 'operate', (request) => delta.deleteTable(tableOf(request), callerOf(request)));
  route('HEAD', tableAddress, 'read', (request) => delta.tableExists(tableOf(request), callerOf(request)));
  route('POST', `${tableAddress}/rename`, 'operate', (request) =>
    delta.renameTable(tableOf(request), bodyReader(request), callerOf(request)),
  );
  route('GET', `${tableAddress}/credentials`, 'read', async (request) => {
    const operation = queryOf(request, 'operation');
    if (operation === 'READ_WRITE') requireOperator(request);
    return delta.getTableCredentials(tableOf(request), operation, callerOf(request));
  });
  route('POST', `${tableAddress}/metrics`, 'operate', (request) =>
    delta.reportMetrics(tableOf(request), bodyReader(request), callerOf(request)),
  );
  route('GET', '/staging-tables/:table_id/credentials', 'operate', (request) =>
    delta.getStagingTableCredentials(nameOf(request, 'table_id'), callerOf(request)),
  );
  route('GET', '/temporary-path-credentials', 'operate', (request) =>
    delta.getTemporaryPathCredentials(
      { location: queryOf(request, 'location'), operation: queryOf(request, 'operation') },
      callerOf(request),
    ),
  );
  refuseOtherMethods();
}

/** Reading is for everybody with a role; a credential that writes is for those who may write. */
function requireOperator({ principal, actor }: FastifyRequest): void {
  if (principal === undefined || mayByRole(principal, 'operate')) return;
  throw new DeltaError('PermissionDenied', `${actor.name} may read only.`);
}

function send(reply: FastifyReply, answer: JsonObject | undefined | void): FastifyReply {
  if (answer === undefined) return reply.code(204).send();
  return reply.type(deltaContentType).send(jsonText(answer));
}

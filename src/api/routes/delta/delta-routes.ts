import type { FastifyReply } from 'fastify';
import type { DeltaHandler } from '../../../delta/handler.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import { type JsonObject, jsonText } from '../../../delta/wire/json.ts';
import type { ApiServer } from '../../server.ts';
import { deltaContentType } from './content-type.ts';
import { nameOf, queryOf, schemaAddress, schemaOf, tableAddress, tableOf } from './delta-address.ts';
import { bodyReader } from './delta-body.ts';
import { type DeltaCaller, callerOf, requireOperator } from './delta-caller.ts';
import { dialectRoutes } from './dialect-routes.ts';
import { sendDeltaFailure } from './send-failure.ts';

/** JSON, or `undefined` for 204. */
type Answer = JsonObject | undefined | void;

/** The Unity Catalog Delta API, as Unity Catalog publishes it. */
export function deltaRoutes(app: ApiServer, delta: DeltaHandler<DeltaCaller>): void {
  dialectRoutes<Answer>(app, { send, sendFailure: sendDeltaFailure }, (route) => {
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
  });
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer === undefined) return reply.code(204).send();
  return reply.type(deltaContentType).send(jsonText(answer));
}

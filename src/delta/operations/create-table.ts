import type { CreateTableSpec } from '../backend.ts';
import { deriveColumns, readColumns } from '../columns/table-columns.ts';
import { DeltaError, LocationTaken } from '../delta-error.ts';
import { domainsOf, withDomainMetadata } from '../rules/domain-metadata.ts';
import { withLastUpdate } from '../rules/last-update.ts';
import { checkExternalLocation, normalizeLocation } from '../rules/location.ts';
import { checkManagedContract, checkTableIdProperty } from '../rules/managed-contract.ts';
import { checkTableName, requireText } from '../rules/names.ts';
import { protocolProperties } from '../rules/protocol.ts';
import { servable } from '../rules/servable.ts';
import { checkUniformAtCreate } from '../rules/uniform.ts';
import type { SchemaRef, StagingReservation, TableType } from '../table.ts';
import { type CreateTableRequest, readCreateTable } from '../wire/create-request.ts';
import { invalid, required } from '../wire/fields.ts';
import type { JsonObject } from '../wire/json.ts';
import { tableAnswer } from '../wire/table-answer.ts';
import { type Operation, type ReadBody, textIn } from './context.ts';
import { requireFreeName } from './free-name.ts';
import { stagingAt } from './staging.ts';

/** Registers a table: an EXTERNAL one where its data is, a MANAGED one on its reservation. */
export async function createTable<Cx>(
  operation: Operation<Cx>,
  at: SchemaRef,
  body: ReadBody,
  cx: Cx,
): Promise<JsonObject> {
  const { backend } = operation;
  const asked: TableType = textIn(body, 'table-type') === 'MANAGED' ? 'MANAGED' : 'EXTERNAL';
  await backend.authorize({ kind: 'CreateTable', at, name: textIn(body, 'name'), tableType: asked }, cx);
  const wanted = derive(readCreateTable(body()), at);
  await requireFreeName(backend, { ...at, table: wanted.name }, cx);
  const spec =
    wanted.tableType === 'MANAGED'
      ? { ...wanted, adoptStaging: await adoptable(operation, wanted, cx), exclusiveLocation: false }
      : { ...wanted, adoptStaging: null, exclusiveLocation: external(operation, wanted.location) };
  const table = await create(operation, spec, cx);
  return tableAnswer(servable(table), []);
}

type Wanted = Omit<CreateTableSpec, 'adoptStaging' | 'exclusiveLocation'>;

/** Everything that can be said of a request without looking anything up; the first failure is told. */
function derive(request: CreateTableRequest, at: SchemaRef): Wanted {
  const { properties, domainMetadata, comment, uniform } = request;
  const name = requireText(request.name, 'Table name');
  const givenLocation = requireText(request.location, 'Table location');
  const fields = readColumns(request.columns);
  const tableType = required(request.tableType, 'table-type');
  const protocol = required(request.protocol, 'protocol');
  const timestamp = required(request.lastCommitTimestampMs, 'last-commit-timestamp-ms');
  if (tableType === 'MANAGED') checkManagedContract(protocol, domainsOf(domainMetadata), properties);
  checkUniformAtCreate(uniform, properties, () => normalizeLocation(givenLocation));
  const columns = deriveColumns(fields, request.partitionColumns);
  checkTableName(name, 'Table name');
  const derived = withDomainMetadata(new Map([...properties, ...protocolProperties(protocol)]), domainMetadata);
  return {
    at,
    name,
    location: normalizeLocation(givenLocation),
    tableType,
    format: 'DELTA',
    columns,
    properties: withLastUpdate(derived, { version: 0n, timestamp }),
    ...(comment === undefined ? {} : { comment }),
    ...(uniform === undefined ? {} : { uniform }),
  };
}

/** Whether the place must be free of others; what no table may claim is refused at once. */
function external<Cx>({ options }: Operation<Cx>, location: string): boolean {
  checkExternalLocation(location);
  return !options.overlappingLocations;
}

/** The reservation of the location, if the caller may have it and nobody had it before. */
async function adoptable<Cx>(
  { backend }: Operation<Cx>,
  { location, properties }: Wanted,
  cx: Cx,
): Promise<StagingReservation> {
  const reservation = await stagingAt(backend, location, cx);
  await backend.authorize({ kind: 'AdoptStaging', reservation }, cx);
  if (reservation.finalised) throw invalid(`Staging table is finalised already: ${reservation.tableId}.`);
  checkTableIdProperty(properties, reservation.tableId);
  return reservation;
}

async function create<Cx>({ backend }: Operation<Cx>, spec: CreateTableSpec, cx: Cx) {
  try {
    return await backend.createTableRow(spec, cx);
  } catch (error) {
    if (!(error instanceof LocationTaken)) throw error;
    // where callers are told apart, another table's place is somebody's; elsewhere it is merely wrong
    const forbidden = error.occupant === 'table' && backend.capabilities().authorization;
    throw new DeltaError(forbidden ? 'PermissionDenied' : 'InvalidArgument', error.message, { cause: error });
  }
}

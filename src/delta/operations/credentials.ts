import { DeltaError } from '../delta-error.ts';
import { normalizeLocation } from '../rules/location.ts';
import { readUuid, requireText } from '../rules/names.ts';
import type { TableRef } from '../table.ts';
import { credentialsAnswer, readAccess } from '../wire/credentials-answer.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Operation } from './context.ts';
import { stagingById } from './staging.ts';

/** For a table of any format. */
export async function getTableCredentials<Cx>(
  { backend }: Operation<Cx>,
  table: TableRef,
  operation: string | undefined,
  cx: Cx,
): Promise<JsonObject> {
  const access = readAccess(operation);
  await backend.authorize({ kind: 'VendTableCredential', table, access }, cx);
  const resolved = await backend.resolveTable(table, cx);
  if (resolved.tableType === null) throw new DeltaError('UnsupportedTableFormat', `Not a table: ${resolved.name}`);
  const vended = await backend.vendTableCredential(resolved, access, cx);
  return credentialsAnswer(normalizeLocation(resolved.location), access, vended);
}

/** For a place that was promised and is not a table yet; the table's own credentials are asked for afterwards. */
export async function getStagingTableCredentials<Cx>(
  { backend }: Operation<Cx>,
  tableId: string,
  cx: Cx,
): Promise<JsonObject> {
  const id = readUuid(tableId, 'table_id');
  const reservation = await stagingById(backend, id, cx);
  const { location } = reservation;
  await backend.authorize({ kind: 'VendPathCredential', location, access: 'READ_WRITE', reservation }, cx);
  if (reservation.finalised) {
    throw new DeltaError('NoSuchTable', `Staging table not found: ${id} is a table by now.`);
  }
  return credentialsAnswer(location, 'READ_WRITE', await backend.vendPathCredential(location, 'READ_WRITE', cx));
}

export interface PathCredentialsQuery {
  readonly location: string | undefined;
  readonly operation: string | undefined;
}

export async function getTemporaryPathCredentials<Cx>(
  { backend }: Operation<Cx>,
  query: PathCredentialsQuery,
  cx: Cx,
): Promise<JsonObject> {
  const location = normalizeLocation(requireText(query.location, 'location'));
  const access = readAccess(query.operation);
  await backend.authorize({ kind: 'VendPathCredential', location, access }, cx);
  return credentialsAnswer(location, access, await backend.vendPathCredential(location, access, cx));
}

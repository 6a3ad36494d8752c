import type { DeltaBackend } from './backend.ts';
import { defaultArbitrationRules } from './commits/arbitrate.ts';
import type { DeltaOptions, ReadBody } from './operations/context.ts';
import { createStagingTable } from './operations/create-staging-table.ts';
import { createTable } from './operations/create-table.ts';
import {
  type PathCredentialsQuery,
  getStagingTableCredentials,
  getTableCredentials,
  getTemporaryPathCredentials,
} from './operations/credentials.ts';
import { deleteTable } from './operations/delete-table.ts';
import { type ConfigQuery, getConfig } from './operations/get-config.ts';
import { loadTable, tableExists } from './operations/load-table.ts';
import { renameTable } from './operations/rename-table.ts';
import { reportMetrics } from './operations/report-metrics.ts';
import { updateTable } from './operations/update-table.ts';
import type { SchemaRef, TableRef } from './table.ts';
import type { JsonObject } from './wire/json.ts';

const defaultOptions: DeltaOptions = {
  arbitration: defaultArbitrationRules,
  strictManagedProperties: true,
  overlappingLocations: false,
};

/**
 * The twelve operations of the Unity Catalog Delta API, without HTTP: names and query in, bodies in as a reader, answers
 * out as JSON in which integers are `bigint` (`jsonText` writes them). Failures are thrown; `failureAnswer` tells them.
 */
export interface DeltaHandler<Cx> {
  getConfig(query: ConfigQuery, cx: Cx): Promise<JsonObject>;
  createStagingTable(at: SchemaRef, body: ReadBody, cx: Cx): Promise<JsonObject>;
  createTable(at: SchemaRef, body: ReadBody, cx: Cx): Promise<JsonObject>;
  loadTable(table: TableRef, cx: Cx): Promise<JsonObject>;
  updateTable(table: TableRef, body: ReadBody, cx: Cx): Promise<JsonObject>;
  deleteTable(table: TableRef, cx: Cx): Promise<void>;
  tableExists(table: TableRef, cx: Cx): Promise<void>;
  renameTable(table: TableRef, body: ReadBody, cx: Cx): Promise<void>;
  getTableCredentials(table: TableRef, operation: string | undefined, cx: Cx): Promise<JsonObject>;
  reportMetrics(table: TableRef, body: ReadBody, cx: Cx): Promise<void>;
  getStagingTableCredentials(tableId: string, cx: Cx): Promise<JsonObject>;
  getTemporaryPathCredentials(query: PathCredentialsQuery, cx: Cx): Promise<JsonObject>;
}

export function deltaHandler<Cx>(backend: DeltaBackend<Cx>, options: Partial<DeltaOptions> = {}): DeltaHandler<Cx> {
  const operation = { backend, options: { ...defaultOptions, ...options } };
  return {
    getConfig: (query, cx) => getConfig(operation, query, cx),
    createStagingTable: (at, body, cx) => createStagingTable(operation, at, body, cx),
    createTable: (at, body, cx) => createTable(operation, at, body, cx),
    loadTable: (table, cx) => loadTable(operation, table, cx),
    updateTable: (table, body, cx) => updateTable(operation, table, body, cx),
    deleteTable: (table, cx) => deleteTable(operation, table, cx),
    tableExists: (table, cx) => tableExists(operation, table, cx),
    renameTable: (table, body, cx) => renameTable(operation, table, body, cx),
    getTableCredentials: (table, access, cx) => getTableCredentials(operation, table, access, cx),
    reportMetrics: (table, body, cx) => reportMetrics(operation, table, body, cx),
    getStagingTableCredentials: (tableId, cx) => getStagingTableCredentials(operation, tableId, cx),
    getTemporaryPathCredentials: (query, cx) => getTemporaryPathCredentials(operation, query, cx),
  };
}

import type { StructField } from '../columns/data-type.ts';
import { deriveColumns, partitionColumnsOf, readColumns, repartition } from '../columns/table-columns.ts';
import {
  checkDomainsOfProperties,
  domainsIn,
  domainsOf,
  withDomainMetadata,
  withoutDomains,
} from '../rules/domain-metadata.ts';
import { withLastUpdate } from '../rules/last-update.ts';
import { checkFixedProperties, checkManagedContract, checkTableIdProperty } from '../rules/managed-contract.ts';
import { type Protocol, withProtocol } from '../rules/protocol.ts';
import type { ServableTable } from '../rules/servable.ts';
import type { TableColumn } from '../table.ts';
import { invalid, required } from '../wire/fields.ts';
import { type Updates, removedDomains } from '../wire/update-request.ts';

/** A table's metadata after the updates of one request. */
export interface UpdatedTable {
  readonly columns: readonly TableColumn[];
  readonly properties: ReadonlyMap<string, string>;
  readonly comment?: string;
  /** What counts as a change of metadata, by the presence of its action. */
  readonly metadataChanged: boolean;
  readonly propertiesChanged: boolean;
}

/** Applies everything but commits, in the order of the rules and not of the request, and checks what comes out. */
export function applyUpdates(table: ServableTable, updates: Updates, strictProperties: boolean): UpdatedTable {
  const columns = applyColumns(table.columns, updates);
  const protocol = updates['set-protocol'] && required(updates['set-protocol'].protocol, 'set-protocol.protocol');
  const properties = applyProperties(table.properties, updates, protocol);
  const comment =
    updates['set-table-comment'] && required(updates['set-table-comment'].comment, 'set-table-comment.comment');
  const stamped = applySnapshotVersion(table, properties, updates);
  if (table.tableType === 'MANAGED') checkManaged(table.tableId, updates, protocol, stamped, strictProperties);
  return {
    columns,
    properties: stamped,
    ...(comment === undefined ? {} : { comment }),
    metadataChanged: changesMetadata(updates),
    propertiesChanged: updates['set-domain-metadata'] !== undefined,
  };
}

/** Columns and partitioning are one step: the half that was not sent is kept, by name. */
function applyColumns(before: readonly TableColumn[], updates: Updates): readonly TableColumn[] {
  const partitions = updates['set-partition-columns']?.partitionColumns;
  if (updates['set-columns'] === undefined) {
    return partitions === undefined ? before : repartition(before, partitions);
  }
  const fields: readonly StructField[] = readColumns(updates['set-columns'].columns);
  return deriveColumns(fields, partitions ?? partitionColumnsOf(before));
}

function applyProperties(
  before: ReadonlyMap<string, string>,
  updates: Updates,
  protocol: Protocol | undefined,
): ReadonlyMap<string, string> {
  const set = new Map([
    ...(protocol === undefined ? before : withProtocol(before, protocol)),
    ...(updates['set-properties']?.updates ?? []),
  ]);
  for (const key of updates['remove-properties']?.removals ?? []) set.delete(key);
  const domains = updates['set-domain-metadata']?.updates;
  if (domains !== undefined && domainsOf(domains).length === 0) {
    throw invalid('set-domain-metadata.updates must contain at least one domain.');
  }
  return withoutDomains(withDomainMetadata(set, domains ?? {}), removedDomains(updates));
}

function applySnapshotVersion(
  { tableType }: ServableTable,
  properties: ReadonlyMap<string, string>,
  updates: Updates,
): ReadonlyMap<string, string> {
  const snapshot = updates['update-metadata-snapshot-version'];
  if (snapshot === undefined) return properties;
  if (tableType !== 'EXTERNAL') throw invalid('update-metadata-snapshot-version is for EXTERNAL tables only.');
  const at = 'update-metadata-snapshot-version.last-commit';
  const version = required(snapshot.version, `${at}-version`);
  return withLastUpdate(properties, { version, timestamp: required(snapshot.timestamp, `${at}-timestamp-ms`) });
}

/** On the state that the whole request leaves behind. */
function checkManaged(
  tableId: string,
  updates: Updates,
  protocol: Protocol | undefined,
  properties: ReadonlyMap<string, string>,
  strictProperties: boolean,
): void {
  if (protocol !== undefined) checkManagedContract(protocol, domainsIn(properties), properties);
  else if (updates['set-domain-metadata'] !== undefined) checkDomainsOfProperties(properties);
  const touched = updates['set-properties'] !== undefined || updates['remove-properties'] !== undefined;
  if (!strictProperties || !touched) return;
  checkFixedProperties(properties);
  checkTableIdProperty(properties, tableId);
}

/** By presence, even if nothing differs. A high-water mark of row ids alone moves with the data, and is none. */
function changesMetadata(updates: Updates): boolean {
  return (
    updates['set-columns'] !== undefined ||
    updates['set-partition-columns'] !== undefined ||
    updates['set-protocol'] !== undefined ||
    updates['set-properties'] !== undefined ||
    updates['remove-properties'] !== undefined ||
    updates['set-table-comment'] !== undefined ||
    updates['remove-domain-metadata'] !== undefined ||
    updates['update-metadata-snapshot-version'] !== undefined ||
    updates['set-domain-metadata']?.updates.clusteringColumns !== undefined
  );
}

import { latestVersion, unbackfilled } from '../commits/arbitrate.ts';
import { commitJson } from '../commits/read-commit.ts';
import { columnsJson, partitionColumnsOf } from '../columns/table-columns.ts';
import { lastUpdateOf } from '../rules/last-update.ts';
import { uniformJson } from '../rules/uniform.ts';
import type { ResolvedTable, TrackedCommit } from '../table.ts';
import type { ServableTable } from '../rules/servable.ts';
import type { JsonObject } from './json.ts';

export function etagOf({ metadataVersion }: Pick<ResolvedTable, 'metadataVersion'>): string {
  return `etag-${metadataVersion}`;
}

/** What loading, creating and updating a table answer. */
export function tableAnswer(table: ServableTable, tracked: readonly TrackedCommit[]): JsonObject {
  const managed = table.tableType === 'MANAGED';
  return {
    metadata: metadataJson(table),
    commits: managed ? unbackfilled(tracked).map(commitJson) : [],
    ...(managed ? { 'latest-table-version': latestVersion(tracked) } : {}),
    ...(table.uniform === undefined ? {} : { uniform: uniformJson(table.uniform) }),
  };
}

function metadataJson(table: ServableTable): JsonObject {
  const { version, timestamp } = lastUpdateOf(table.properties);
  return {
    etag: etagOf(table),
    'table-type': table.tableType,
    'table-uuid': table.tableId,
    location: table.location,
    'created-time': table.createdAtMs,
    'updated-time': table.updatedAtMs,
    columns: columnsJson(table.columns),
    'partition-columns': partitionColumnsOf(table.columns),
    properties: Object.fromEntries(table.properties),
    ...(version === undefined ? {} : { 'last-commit-version': version }),
    ...(timestamp === undefined ? {} : { 'last-commit-timestamp-ms': timestamp }),
  };
}

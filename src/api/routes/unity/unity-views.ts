import type { CatalogRow } from '../../../registries/embedded/catalog-row.ts';
import type { LakeRow } from '../../../registries/embedded/lake/lake-rows.ts';
import type { TableColumn } from '../../../delta/table.ts';
import { parsePathText } from '../../../domain/path.ts';

/** Fields without a value are sent as null, as the published API does. */
export function catalogInfo(row: CatalogRow) {
  return {
    name: row.name,
    comment: row.comment,
    properties: row.properties,
    owner: row.owner,
    created_at: row.createdAt,
    created_by: null,
    updated_at: row.updatedAt,
    updated_by: null,
    id: row.id,
    storage_root: row.storageRoot,
    storage_location: row.storageRoot,
  };
}

export function schemaInfo(catalog: string, row: LakeRow) {
  const name = nameIn(row.pathKey);
  return {
    name,
    catalog_name: catalog,
    comment: row.comment,
    properties: row.properties,
    full_name: `${catalog}.${name}`,
    owner: row.owner,
    created_at: row.createdAt,
    created_by: null,
    updated_at: row.updatedAt,
    updated_by: null,
    schema_id: row.id,
    storage_root: row.storageLocation,
    storage_location: row.storageLocation,
  };
}

export function tableInfo(catalog: string, schema: string, row: LakeRow) {
  return {
    name: nameIn(row.pathKey),
    catalog_name: catalog,
    schema_name: schema,
    table_type: row.tableType ?? 'EXTERNAL',
    data_source_format: row.format,
    columns: (row.columns ?? []).map(columnInfo),
    storage_location: row.storageLocation,
    comment: row.comment,
    properties: row.properties,
    owner: row.owner,
    created_at: row.createdAt,
    created_by: null,
    updated_at: row.metadataAt ?? row.updatedAt,
    updated_by: null,
    table_id: row.id,
  };
}

function columnInfo(column: TableColumn) {
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(column.typeText) ?? [];
  return {
    name: column.name,
    type_text: column.typeText,
    type_json: column.typeJson,
    type_name: column.typeName,
    type_precision: precision === undefined ? null : Number(precision),
    type_scale: scale === undefined ? null : Number(scale),
    type_interval_type: null,
    position: column.position,
    comment: column.comment ?? null,
    nullable: column.nullable,
    partition_index: column.partitionIndex ?? null,
  };
}

/** The name alone, as it was given. */
export function nameIn(pathKey: string): string {
  return parsePathText(pathKey)?.at(-1) ?? pathKey;
}

import { z } from 'zod';
import type { TableColumn } from '../../../delta/table.ts';

const Text = z.string();
/** Absent and null are the same to the published clients, which send every field they know. */
const Optional = Text.nullish().transform((value) => value ?? undefined);
const Properties = z
  .record(Text, Text)
  .nullish()
  .transform((value) => value ?? undefined);
const NewName = Text.min(1, 'is empty');

export const CreateCatalogBody = z.object({
  name: NewName,
  comment: Optional,
  properties: Properties,
  storage_root: Optional,
});

export const CreateSchemaBody = z.object({
  name: NewName,
  catalog_name: NewName,
  comment: Optional,
  properties: Properties,
  storage_root: Optional,
});

export const ChangeBody = z.object({ comment: Optional, properties: Properties, new_name: Optional, owner: Optional });

const whole = z
  .bigint()
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Number(value)));

const ColumnBody = z.object({
  name: NewName,
  type_text: Optional,
  type_json: Optional,
  type_name: Optional,
  position: whole,
  comment: Optional,
  nullable: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  partition_index: whole,
});

export const CreateTableBody = z.object({
  name: NewName,
  catalog_name: NewName,
  schema_name: NewName,
  table_type: z.enum(['EXTERNAL', 'MANAGED']),
  data_source_format: z.enum(['DELTA', 'CSV', 'JSON', 'AVRO', 'PARQUET', 'ORC', 'TEXT']),
  columns: z
    .array(ColumnBody)
    .nullish()
    .transform((value) => value ?? []),
  storage_location: Optional,
  comment: Optional,
  properties: Properties,
});

export const TableCredentialBody = z.object({ table_id: NewName, operation: z.enum(['READ', 'READ_WRITE']) });

export const PathCredentialBody = z.object({
  url: NewName,
  operation: z.enum(['PATH_READ', 'PATH_READ_WRITE', 'PATH_CREATE_TABLE']),
});

/** The columns as they are stored, in the order of their positions. */
export function storedColumns(given: z.output<typeof CreateTableBody>['columns']): readonly TableColumn[] {
  const placed = given.map((column, place) => ({ column, place: column.position ?? place }));
  return placed
    .toSorted((a, b) => a.place - b.place)
    .map(({ column }, position) => ({
      name: column.name,
      position,
      nullable: column.nullable,
      typeName: column.type_name ?? '',
      typeText: column.type_text ?? '',
      typeJson: column.type_json ?? '',
      ...(column.comment === undefined ? {} : { comment: column.comment }),
      ...(column.partition_index === undefined ? {} : { partitionIndex: column.partition_index }),
    }));
}

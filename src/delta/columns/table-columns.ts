import { DeltaError } from '../delta-error.ts';
import type { TableColumn } from '../table.ts';
import { invalid } from '../wire/fields.ts';
import { type Json, type JsonObject, jsonText, member, readJson } from '../wire/json.ts';
import { type StructField, typeName, typeText } from './data-type.ts';
import { readField, readStruct } from './read-type.ts';
import { storedSpelling, wireSpelling } from './spelling.ts';
import { fieldJson, structJson } from './write-type.ts';

/** The fields of a request's `columns`, checked whole. */
export function readColumns(value: Json | undefined): readonly StructField[] {
  if (value === undefined || value === null) throw invalid('columns is required.');
  return readStruct(value, 'columns', wireSpelling);
}

/** The stored columns of these fields, with these partition columns in this order. */
export function deriveColumns(fields: readonly StructField[], partitionColumns: readonly string[]): TableColumn[] {
  const partitions = partitionIndexes(fields, partitionColumns);
  return fields.map((field, position) => {
    const comment = member(field.metadata, 'comment');
    const partitionIndex = partitions.get(position);
    return {
      name: field.name,
      position,
      nullable: field.nullable,
      typeName: typeName(field.type),
      typeText: typeText(field.type),
      typeJson: jsonText(fieldJson(field, storedSpelling)),
      ...(typeof comment === 'string' ? { comment } : {}),
      ...(partitionIndex === undefined ? {} : { partitionIndex }),
    };
  });
}

/** The same columns under other partition columns. */
export function repartition(columns: readonly TableColumn[], partitionColumns: readonly string[]): TableColumn[] {
  const partitions = partitionIndexes(columns, partitionColumns);
  return columns.map(({ partitionIndex: _before, ...column }, position) => {
    const partitionIndex = partitions.get(position);
    return partitionIndex === undefined ? column : { ...column, partitionIndex };
  });
}

/** In the order of the partitioning, in the schema's spelling. */
export function partitionColumnsOf(columns: readonly TableColumn[]): string[] {
  return columns
    .flatMap(({ name, partitionIndex }) => (partitionIndex === undefined ? [] : [{ name, partitionIndex }]))
    .sort((one, other) => one.partitionIndex - other.partitionIndex)
    .map(({ name }) => name);
}

/** The answered struct. One column that cannot be read leaves it empty: a part of a schema would be taken for the whole. */
export function columnsJson(columns: readonly TableColumn[]): JsonObject {
  try {
    const fields = columns.map(({ name, typeJson }) => readField(readJson(typeJson), name, storedSpelling));
    return structJson(fields, wireSpelling);
  } catch (error) {
    if (!(error instanceof DeltaError)) throw error;
    return structJson([], wireSpelling);
  }
}

/** By position of the column: its place among the partition columns. */
function partitionIndexes(
  columns: readonly { readonly name: string }[],
  partitionColumns: readonly string[],
): ReadonlyMap<number, number> {
  const positions = new Map(columns.map(({ name }, position) => [name.toLowerCase(), position]));
  const indexes = new Map<number, number>();
  for (const [index, name] of partitionColumns.entries()) {
    const position = positions.get(name.toLowerCase());
    if (position === undefined) throw invalid(`partition-columns references unknown column: ${name}`);
    if (indexes.has(position)) throw invalid(`partition-columns has a duplicate entry: ${name}`);
    indexes.set(position, index);
  }
  return indexes;
}

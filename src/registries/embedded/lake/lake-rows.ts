import { type SQL, eq, sql } from 'drizzle-orm';
import type { ResolvedTable, TableColumn, TableType, TrackedCommit, Uniform } from '../../../delta/table.ts';
import type { EntityKind } from '../../../domain/registration.ts';
import { pathOf } from '../registration-rows.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { entities } from '../schema.ts';
import { lakeCommits, lakeTables } from './lake-schema.ts';
import type { StoredUniform } from './lake-table.ts';

/** A registration among the tables' names, with what it has as a table of the lake, if it has. */
export const lakeColumns = {
  id: entities.id,
  kind: entities.kind,
  pathKey: entities.pathKey,
  version: entities.version,
  createdAt: entities.createdAt,
  updatedAt: entities.updatedAt,
  storageLocation: entities.storageLocation,
  owner: entities.owner,
  comment: entities.comment,
  properties: entities.properties,
  tableType: lakeTables.tableType,
  format: lakeTables.format,
  columns: lakeTables.columns,
  uniform: lakeTables.uniform,
  metadataVersion: lakeTables.metadataVersion,
  metadataAt: lakeTables.metadataAt,
};

export interface LakeRow {
  readonly id: string;
  readonly kind: EntityKind;
  readonly pathKey: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly storageLocation: string | null;
  readonly owner: string | null;
  readonly comment: string | null;
  readonly properties: Readonly<Record<string, string>>;
  readonly tableType: TableType | null;
  readonly format: string | null;
  readonly columns: readonly TableColumn[] | null;
  readonly uniform: StoredUniform | null;
  readonly metadataVersion: bigint | null;
  readonly metadataAt: number | null;
}

type CommitCells = readonly [version: string, at: string, file: string, size: string, modified: string, mark: boolean];

/** The log within the row's own statement: one moment's state. 64-bit numbers travel as text, since JSON would round them. */
const trackedCells = sql<readonly CommitCells[] | null>`(
  select json_agg(json_build_array(c.version::text, c.timestamp::text, c.file_name, c.file_size::text,
    c.file_modification_timestamp::text, c.backfilled) order by c.version)
  from ${lakeCommits} c where c.entity_id = registry.entities.id)`.as('tracked');

export async function findLakeRow(db: EmbeddedDatabase, where: SQL | undefined): Promise<LakeRow | undefined> {
  const [row] = await db
    .select(lakeColumns)
    .from(entities)
    .leftJoin(lakeTables, eq(lakeTables.entityId, entities.id))
    .where(where);
  return row;
}

/** Row and log of one moment. */
export async function findLakeSnapshot(
  db: EmbeddedDatabase,
  where: SQL | undefined,
): Promise<{ readonly row: LakeRow; readonly tracked: readonly TrackedCommit[] } | undefined> {
  const [found] = await db
    .select({ ...lakeColumns, tracked: trackedCells })
    .from(entities)
    .leftJoin(lakeTables, eq(lakeTables.entityId, entities.id))
    .where(where);
  if (found === undefined) return undefined;
  const { tracked, ...row } = found;
  return { row, tracked: trackedOf(tracked) };
}

/** The tracked commits alone, ascending. */
export async function trackedCommits(db: EmbeddedDatabase, entityId: string): Promise<readonly TrackedCommit[]> {
  const [row] = await db.select({ tracked: trackedCells }).from(entities).where(eq(entities.id, entityId));
  return trackedOf(row?.tracked ?? null);
}

function trackedOf(cells: readonly CommitCells[] | null): readonly TrackedCommit[] {
  return (cells ?? []).map(([version, timestamp, fileName, fileSize, modified, backfilled]) => ({
    version: BigInt(version),
    timestamp: BigInt(timestamp),
    fileName,
    fileSize: BigInt(fileSize),
    fileModificationTimestamp: BigInt(modified),
    backfilled,
  }));
}

/** The table as the Delta API knows it. What is registered without a format is named, and cannot be served. */
export function resolvedTableOf(row: LakeRow): ResolvedTable {
  return {
    tableId: row.id,
    name: pathOf(row.pathKey).at(-1) ?? '',
    location: row.storageLocation ?? '',
    tableType: row.kind === 'table' ? row.tableType : null,
    format: row.format,
    columns: row.columns ?? [],
    properties: new Map(Object.entries(row.properties)),
    ...(row.comment === null ? {} : { comment: row.comment }),
    ...(row.uniform === null ? {} : { uniform: uniformOf(row.uniform) }),
    createdAtMs: BigInt(row.createdAt),
    updatedAtMs: BigInt(row.metadataAt ?? row.updatedAt),
    metadataVersion: row.metadataVersion ?? BigInt(row.version),
  };
}

function uniformOf({ metadataLocation, ...numbers }: StoredUniform): Uniform {
  const base = numbers.baseConvertedDeltaVersion;
  return {
    metadataLocation,
    convertedDeltaVersion: BigInt(numbers.convertedDeltaVersion),
    convertedDeltaTimestamp: BigInt(numbers.convertedDeltaTimestamp),
    ...(base === undefined ? {} : { baseConvertedDeltaVersion: BigInt(base) }),
  };
}

/** As it is stored. */
export function storedUniform(uniform: Uniform): StoredUniform {
  const base = uniform.baseConvertedDeltaVersion;
  return {
    metadataLocation: uniform.metadataLocation,
    convertedDeltaVersion: String(uniform.convertedDeltaVersion),
    convertedDeltaTimestamp: String(uniform.convertedDeltaTimestamp),
    ...(base === undefined ? {} : { baseConvertedDeltaVersion: String(base) }),
  };
}

import { DeltaError } from '../../../src/delta/delta-error.ts';
import type {
  ResolvedTable,
  SchemaRef,
  StagingReservation,
  TableRef,
  TrackedCommit,
} from '../../../src/delta/table.ts';

/** A table, its log, and the files of versions that the log no longer tracks. */
export interface MemoryTable {
  row: ResolvedTable;
  log: readonly TrackedCommit[];
  files: ReadonlyMap<bigint, string>;
  readonly owner: string;
}

interface MemorySchema {
  readonly root: string | undefined;
  readonly tables: Map<string, MemoryTable>;
}

/** Everything that the backend in memory keeps. Rows are replaced, never changed, so that whoever read one keeps it. */
export class MemoryStore {
  readonly stagings = new Map<string, StagingReservation>();
  private readonly catalogs = new Map<string, Map<string, MemorySchema>>();
  private readonly queues = new Map<string, Promise<unknown>>();

  addSchema({ catalog, schema }: SchemaRef, root?: string): void {
    const schemas = this.catalogs.get(catalog) ?? new Map<string, MemorySchema>();
    schemas.set(schema, { root, tables: new Map() });
    this.catalogs.set(catalog, schemas);
  }

  catalog(name: string): ReadonlyMap<string, MemorySchema> {
    const schemas = this.catalogs.get(name);
    if (schemas === undefined) throw new DeltaError('NoSuchCatalog', `Catalog not found: ${name}`);
    return schemas;
  }

  schema({ catalog, schema }: SchemaRef): MemorySchema {
    const found = this.catalog(catalog).get(schema);
    if (found === undefined) throw new DeltaError('NoSuchSchema', `Schema not found: ${catalog}.${schema}`);
    return found;
  }

  table(ref: TableRef): MemoryTable {
    const found = this.schema(ref).tables.get(ref.table);
    if (found !== undefined) return found;
    throw new DeltaError('NoSuchTable', `Table not found: ${ref.catalog}.${ref.schema}.${ref.table}`);
  }

  /** Locations of all tables, and of all reservations, by what they are. */
  *places(): Generator<readonly ['table' | 'staging' | 'managed-storage', string]> {
    for (const schemas of this.catalogs.values()) {
      for (const { root, tables } of schemas.values()) {
        for (const { row } of tables.values()) yield ['table', row.location];
        if (root !== undefined) yield ['managed-storage', managedFolder(root)];
      }
    }
    for (const { location } of this.stagings.values()) yield ['staging', location];
  }

  /** One after the other for one key. */
  async alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.queues.get(key) ?? Promise.resolve()).then(work);
    this.queues.set(
      key,
      mine.catch(() => undefined),
    );
    return mine;
  }
}

export function managedFolder(root: string): string {
  return `${root}/__unitystorage`;
}

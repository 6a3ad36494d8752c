import { and, eq } from 'drizzle-orm';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { SchemaRef, TableColumn, TableRef } from '../../../delta/table.ts';
import { alterCatalog, createCatalog, dropCatalog } from '../catalog-directory.ts';
import type { CatalogRow } from '../catalog-row.ts';
import { dispatcherChain } from '../chain/chain.ts';
import type { CatalogDispatcher } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { RegistryRefusal } from '../refusal.ts';
import { catalogs, entities } from '../schema.ts';
import { LakeNotEmpty, asDelta } from './lake-failures.ts';
import { type LakeRow, findLakeRow } from './lake-rows.ts';
import { catalogAt, isTableAt, noTableAt, schemaIdAt } from './levels.ts';
import { type NewTableRow, tableCreation } from './table-parts.ts';
import { type NamePage, catalogRows, schemaRows, tableRows } from './unity-pages.ts';

export interface UnityDeskDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  readonly now: () => number;
  /** Where managed tables lie by default; normalised. */
  readonly storageRoot?: string;
}

/** What is written beside the name of a catalog or a schema; locations are normalised. */
export interface NewContainer {
  readonly name: string;
  readonly comment?: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Where its managed tables are laid. */
  readonly storageRoot?: string;
}

/** What changes; a field that is not there stays. */
export interface UnityChange {
  readonly newName?: string;
  readonly owner?: string;
  readonly comment?: string;
  /** All of them. */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface NewExternalTable extends TableRef {
  readonly location: string;
  readonly format: string;
  readonly columns: readonly TableColumn[];
  readonly comment?: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** The catalogs, schemas and tables of one metalake as the Unity Catalog API names them. Throws `DeltaError`. */
export class UnityDesk {
  readonly #deps: UnityDeskDeps;
  readonly #chain: CatalogDispatcher;

  constructor(deps: UnityDeskDeps) {
    this.#deps = deps;
    this.#chain = dispatcherChain({ ...deps, stillExists: async () => 'unknown' });
  }

  async catalogs(page: NamePage): Promise<readonly CatalogRow[]> {
    return asDelta(() => catalogRows(this.#deps.db, this.#deps.metalake, page));
  }

  async catalog(name: string): Promise<CatalogRow> {
    return asDelta(() => catalogAt(this.#deps.db, this.#deps.metalake, name));
  }

  async createCatalog({ storageRoot, ...wanted }: NewContainer, actor: string): Promise<CatalogRow> {
    return asDelta(async () => {
      const root = storageRoot === undefined ? {} : { storageRoot };
      await createCatalog(this.#deps, { ...wanted, ...root, provider: 'delta' }, actor);
      return catalogAt(this.#deps.db, this.#deps.metalake, wanted.name);
    });
  }

  async alterCatalog(
    name: string,
    { newName, properties, ...change }: UnityChange,
    actor: string,
  ): Promise<CatalogRow> {
    if (newName !== undefined && newName !== name) {
      throw new DeltaError('NotImplemented', 'A catalog keeps its name: schedules and findings go by it.');
    }
    return asDelta(async () => {
      const before = await catalogAt(this.#deps.db, this.#deps.metalake, name);
      const all = properties === undefined ? {} : { properties: replacing(before.properties, properties) };
      await alterCatalog(this.#deps, name, { ...change, ...all }, { actor });
      return catalogAt(this.#deps.db, this.#deps.metalake, name);
    });
  }

  /** With `force`, schema after schema with all that is in it, then the catalog. */
  async deleteCatalog(name: string, force: boolean, actor: string): Promise<void> {
    await asDelta(async () => {
      const { db, metalake } = this.#deps;
      const catalog = await catalogAt(db, metalake, name);
      for (;;) {
        const inside = await schemaRows(db, catalog, { limit: 100 });
        if (inside.length === 0) break;
        if (!force) throw new LakeNotEmpty('Cannot delete catalog with schemas');
        for (const { id } of inside) {
          await this.#chain.drop({ catalog: name, actor, target: { by: 'id', id }, cascade: true });
        }
      }
      await dropCatalog(this.#deps, name, { actor });
    });
  }

  async schemas(catalog: string, page: NamePage): Promise<readonly LakeRow[]> {
    return asDelta(async () => schemaRows(this.#deps.db, await this.catalog(catalog), page));
  }

  async schema(ref: SchemaRef): Promise<LakeRow> {
    return asDelta(async () => {
      const { db, metalake } = this.#deps;
      const id = await schemaIdAt(db, await catalogAt(db, metalake, ref.catalog), ref.schema);
      return (await findLakeRow(db, eq(entities.id, id))) ?? gone('NoSuchSchema', `${ref.catalog}.${ref.schema}`);
    });
  }

  async createSchema(catalog: string, wanted: NewContainer, actor: string): Promise<LakeRow> {
    return asDelta(async () => {
      await this.catalog(catalog);
      const { name, comment, properties = {}, storageRoot } = wanted;
      const { id } = await this.#chain.create({
        catalog,
        actor,
        kind: 'schema',
        path: [name],
        ...(storageRoot === undefined ? {} : { storageLocation: storageRoot }),
        attachments: { properties, ...(comment === undefined ? {} : { comment }) },
      });
      return (await findLakeRow(this.#deps.db, eq(entities.id, id))) ?? gone('NoSuchSchema', `${catalog}.${name}`);
    });
  }

  async alterSchema(ref: SchemaRef, change: UnityChange, actor: string): Promise<LakeRow> {
    const before = await this.schema(ref);
    await this.#alter(ref.catalog, before, change, actor);
    const { newName } = change;
    if (newName !== undefined && newName !== ref.schema) {
      const target = { by: 'id', id: before.id } as const;
      await asDelta(() => this.#chain.rename({ catalog: ref.catalog, actor, target, to: [newName] }));
    }
    return this.schema({ ...ref, schema: newName ?? ref.schema });
  }

  async deleteSchema(ref: SchemaRef, force: boolean, actor: string): Promise<void> {
    const { id } = await this.schema(ref);
    const target = { by: 'id', id } as const;
    await asDelta(async () => {
      try {
        await this.#chain.drop({ catalog: ref.catalog, actor, target, cascade: force });
      } catch (error) {
        const full = error instanceof RegistryRefusal && error.reason === 'not-empty';
        throw full ? new LakeNotEmpty('Cannot delete schema with tables') : error;
      }
    });
  }

  async tables(ref: SchemaRef, page: NamePage): Promise<readonly LakeRow[]> {
    return asDelta(async () => tableRows(this.#deps.db, await this.schema(ref), page));
  }

  async table(ref: TableRef): Promise<LakeRow> {
    return asDelta(async () => {
      const { db, metalake } = this.#deps;
      const catalog = await catalogAt(db, metalake, ref.catalog);
      const row = await findLakeRow(db, and(isTableAt(catalog, ref.schema, ref.table), eq(entities.kind, 'table')));
      return row ?? noTableAt(db, catalog, ref.schema, ref.table);
    });
  }

  /** The table of that id, in whatever catalog of the metalake, with its address. */
  async tableOfId(id: string): Promise<{ readonly catalog: string; readonly row: LakeRow }> {
    return asDelta(async () => {
      const { db, metalake } = this.#deps;
      const row = await findLakeRow(db, and(eq(entities.id, id), eq(entities.kind, 'table')));
      const [home] =
        row === undefined
          ? []
          : await db
              .select({ name: catalogs.name })
              .from(catalogs)
              .innerJoin(entities, eq(entities.catalogId, catalogs.id))
              .where(and(eq(entities.id, id), eq(catalogs.metalake, metalake)));
      if (row === undefined || home === undefined) return gone('NoSuchTable', id);
      return { catalog: home.name, row };
    });
  }

  /** Registers what lies elsewhere, in any format; the place must be free, and is not looked at. */
  async createTable(wanted: NewExternalTable, actor: string): Promise<LakeRow> {
    return asDelta(async () => {
      const { catalog, schema, table, comment, properties } = wanted;
      await this.schema(wanted);
      const { location, format, columns } = wanted;
      const row: NewTableRow = {
        location,
        tableType: 'EXTERNAL',
        format,
        columns,
        adoptStaging: null,
        exclusiveLocation: true,
      };
      await this.#chain.create({
        catalog,
        actor,
        kind: 'table',
        path: [schema, table],
        storageLocation: location,
        attachments: { properties, ...(comment === undefined ? {} : { comment }) },
        within: [tableCreation(this.#deps, row)],
      });
      return this.table(wanted);
    });
  }

  async alterTable(ref: TableRef, change: UnityChange, actor: string): Promise<LakeRow> {
    const before = await this.table(ref);
    await this.#alter(ref.catalog, before, change, actor);
    const { newName } = change;
    if (newName !== undefined && newName !== ref.table) {
      const target = { by: 'id', id: before.id } as const;
      await asDelta(() => this.#chain.rename({ catalog: ref.catalog, actor, target, to: [ref.schema, newName] }));
    }
    return this.table({ ...ref, table: newName ?? ref.table });
  }

  async deleteTable(ref: TableRef, actor: string): Promise<void> {
    const { id } = await this.table(ref);
    await asDelta(() => this.#chain.drop({ catalog: ref.catalog, actor, target: { by: 'id', id }, cascade: false }));
  }

  async #alter(catalog: string, before: LakeRow, change: UnityChange, actor: string): Promise<void> {
    const { newName: _newName, properties, ...rest } = change;
    const all = properties === undefined ? {} : { properties: replacing(before.properties, properties) };
    if (Object.keys({ ...rest, ...all }).length === 0) return;
    const target = { by: 'id', id: before.id } as const;
    await asDelta(() => this.#chain.alter({ catalog, actor, target, change: { ...rest, ...all } }));
  }
}

/** The change by key that makes all properties what they are said to be. */
function replacing(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  return { ...Object.fromEntries(Object.keys(before).map((key) => [key, null])), ...after };
}

function gone(failure: 'NoSuchSchema' | 'NoSuchTable', what: string): never {
  throw new DeltaError(failure, `${what} does not exist.`);
}

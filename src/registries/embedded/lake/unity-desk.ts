import { and, eq } from 'drizzle-orm';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { SchemaRef, TableColumn, TableRef } from '../../../delta/table.ts';
import type { Path } from '../../../domain/path.ts';
import { alterCatalog, createCatalog, dropCatalog } from '../catalog-directory.ts';
import type { CatalogRow } from '../catalog-row.ts';
import { ownWordChain } from '../chain/chain.ts';
import type { CatalogDispatcher } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { RegistryRefusal } from '../refusal.ts';
import { catalogs, entities } from '../schema.ts';
import { LakeNotEmpty, asDelta } from './lake-failures.ts';
import { type LakeRow, findLakeRow } from './lake-rows.ts';
import { catalogAt, lakeRowAt, schemaIdAt } from './levels.ts';
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
    this.#chain = ownWordChain(deps);
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
    const { newName = ref.schema } = change;
    const { catalog, schema: name } = ref;
    await this.#alter({ catalog, name, before: await this.schema(ref), actor }, change);
    return this.schema({ ...ref, schema: newName });
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
    return asDelta(() => lakeRowAt(this.#deps, ref, eq(entities.kind, 'table')));
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
    const { newName = ref.table } = change;
    const { catalog, schema: container, table: name } = ref;
    await this.#alter({ catalog, container, name, before: await this.table(ref), actor }, change);
    return this.table({ ...ref, table: newName });
  }

  async deleteTable(ref: TableRef, actor: string): Promise<void> {
    const { id } = await this.table(ref);
    await asDelta(() => this.#chain.drop({ catalog: ref.catalog, actor, target: { by: 'id', id }, cascade: false }));
  }

  /** The name and what stands beside it, all at once. */
  async #alter({ catalog, container, name, before, actor }: Altered, wanted: UnityChange): Promise<void> {
    const { newName = name, properties, ...rest } = wanted;
    const change = {
      ...rest,
      ...(properties === undefined ? {} : { properties: replacing(before.properties, properties) }),
    };
    const target = { by: 'id', id: before.id } as const;
    const to: Path = container === undefined ? [newName] : [container, newName];
    await asDelta(async () => {
      const beside = Object.keys(change).length === 0 ? {} : { change };
      if (newName !== name) await this.#chain.rename({ catalog, actor, target, to, ...beside });
      else await this.#chain.alter({ catalog, actor, target, change });
    });
  }
}

/** A schema, or a table in one, that is about to change. */
interface Altered {
  readonly catalog: string;
  /** The schema of a table. */
  readonly container?: string;
  /** As the request names it. */
  readonly name: string;
  readonly before: LakeRow;
  readonly actor: string;
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

import { randomUUID } from 'node:crypto';
import type {
  BackendCapabilities,
  CreateTableSpec,
  DeletePrecondition,
  DeltaAction,
  DeltaBackend,
  TableSnapshot,
  TableUnitOfWork,
} from '../../../delta/backend.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import type {
  Access,
  ResolvedTable,
  SchemaRef,
  StagingPlace,
  StagingReservation,
  TableRef,
  VendedCredential,
} from '../../../delta/table.ts';
import type { Principal } from '../../../domain/permission.ts';
import { ownWordChain } from '../chain/chain.ts';
import type { CatalogDispatcher } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { asDelta, deltaErrorOf } from './lake-failures.ts';
import { findLakeSnapshot, resolvedTableOf } from './lake-rows.ts';
import { catalogAt, isTableAt, lakeRowAt, noTableAt, schemaIdAt } from './levels.ts';
import { requirePermission } from './permissions.ts';
import { findReservation, keepReservation } from './reservations.ts';
import type { StorageAccess } from '../storage/storage-access.ts';
import { tableCreation, tableDeletion } from './table-parts.ts';
import { managedRootOf } from './managed-root.ts';

/** Who asks. */
export interface LakeCaller {
  /** Shown in events, and the owner of what is created. */
  readonly actor: string;
  /** Absent where callers are not told apart. */
  readonly principal?: Principal;
}

export interface LakeBackendDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  readonly now: () => number;
  readonly storage: StorageAccess;
  /** Where managed tables lie by default; normalised. */
  readonly storageRoot?: string;
  /** Whether every request has a principal. */
  readonly authorization: boolean;
}

/**
 * The Delta API's store, over one metalake of the embedded registry. Tables are registrations like any other, and every
 * change of one goes through the dispatcher chain; nothing here knows what Delta allows.
 */
export class LakeBackend implements DeltaBackend<LakeCaller> {
  readonly #deps: LakeBackendDeps;
  readonly #chain: CatalogDispatcher;

  constructor(deps: LakeBackendDeps) {
    this.#deps = deps;
    this.#chain = ownWordChain(deps);
  }

  capabilities(): BackendCapabilities {
    return { rename: true, authorization: this.#deps.authorization };
  }

  async authorize(action: DeltaAction, { principal }: LakeCaller): Promise<void> {
    if (principal !== undefined) return asDelta(() => requirePermission(this.#deps, principal, action));
    if (this.#deps.authorization) throw new DeltaError('Unauthenticated', 'The request carries no token.');
  }

  async catalogExists(catalog: string): Promise<void> {
    await asDelta(() => catalogAt(this.#deps.db, this.#deps.metalake, catalog));
  }

  async loadSnapshot(ref: TableRef): Promise<TableSnapshot> {
    return asDelta(async () => {
      const { db, metalake } = this.#deps;
      const catalog = await catalogAt(db, metalake, ref.catalog);
      const found = await findLakeSnapshot(db, isTableAt(catalog, ref.schema, ref.table));
      if (found === undefined) return noTableAt(db, catalog, ref.schema, ref.table);
      return { table: resolvedTableOf(found.row), tracked: found.tracked };
    });
  }

  async resolveTable(ref: TableRef): Promise<ResolvedTable> {
    return asDelta(async () => resolvedTableOf(await lakeRowAt(this.#deps, ref)));
  }

  async createTableRow(spec: CreateTableSpec, { actor }: LakeCaller): Promise<ResolvedTable> {
    return asDelta(async () => {
      const { at, name, location, tableType, comment } = spec;
      await schemaIdAt(this.#deps.db, await catalogAt(this.#deps.db, this.#deps.metalake, at.catalog), at.schema);
      const entity = await this.#chain.create({
        catalog: at.catalog,
        actor,
        kind: 'table',
        path: [at.schema, name],
        ...(spec.adoptStaging === null ? {} : { id: spec.adoptStaging.tableId }),
        storageLocation: location,
        managed: tableType === 'MANAGED',
        attachments: {
          properties: Object.fromEntries(spec.properties),
          ...(comment === undefined ? {} : { comment }),
        },
        within: [tableCreation(this.#deps, spec)],
      });
      return this.resolveTable({ ...at, table: entity.path.at(-1) ?? name });
    });
  }

  async deleteTable(ref: TableRef, precondition: DeletePrecondition, { actor }: LakeCaller): Promise<void> {
    await asDelta(async () => {
      const row = await lakeRowAt(this.#deps, ref);
      return this.#chain.drop({
        catalog: ref.catalog,
        actor,
        target: { by: 'path', kind: row.kind, path: [ref.schema, ref.table] },
        cascade: false,
        within: [tableDeletion(precondition)],
      });
    });
  }

  async renameTable(from: TableRef, to: string, { actor }: LakeCaller): Promise<void> {
    await asDelta(async () => {
      const row = await lakeRowAt(this.#deps, from);
      if (from.table === to) return;
      await this.#chain.rename({
        catalog: from.catalog,
        actor,
        target: { by: 'path', kind: row.kind, path: [from.schema, from.table] },
        to: [from.schema, to],
      });
    });
  }

  async allocateStaging(at: SchemaRef): Promise<StagingPlace> {
    return asDelta(async () => {
      const { db, metalake, storageRoot } = this.#deps;
      const catalog = await catalogAt(db, metalake, at.catalog);
      const root = (await managedRootOf(db, catalog, await schemaIdAt(db, catalog, at.schema))) ?? storageRoot;
      if (root === undefined) {
        throw new DeltaError(
          'InvalidArgument',
          `Neither schema ${at.schema} nor catalog ${at.catalog} nor the server has a root for managed tables.`,
        );
      }
      const tableId = randomUUID();
      return { tableId, location: `${root}/__unitystorage/tables/${tableId}` };
    });
  }

  async recordStaging(
    at: SchemaRef,
    name: string,
    place: StagingPlace,
    { principal }: LakeCaller,
  ): Promise<StagingReservation> {
    return asDelta(async () => {
      const { db, metalake, now } = this.#deps;
      const catalog = await catalogAt(db, metalake, at.catalog);
      const schemaId = await schemaIdAt(db, catalog, at.schema);
      const createdBy = principal?.name ?? null;
      return keepReservation(db, { metalake, catalogId: catalog.id, schemaId, name, place, createdBy, at: now() });
    });
  }

  async resolveStagingByLocation(location: string): Promise<StagingReservation> {
    return asDelta(() => findReservation(this.#deps.db, this.#deps.metalake, { location }));
  }

  async resolveStagingById(tableId: string): Promise<StagingReservation> {
    return asDelta(() => findReservation(this.#deps.db, this.#deps.metalake, { id: tableId }));
  }

  async vendTableCredential({ location }: ResolvedTable, access: Access): Promise<VendedCredential> {
    return this.#deps.storage.vend(location, access);
  }

  async vendPathCredential(location: string, access: Access): Promise<VendedCredential> {
    return this.#deps.storage.vend(location, access);
  }

  async withTableUnitOfWork<T>(
    { catalog, schema, table }: TableRef,
    { actor }: LakeCaller,
    work: (unit: TableUnitOfWork) => Promise<T>,
  ): Promise<T> {
    let ended: { readonly well: true } | { readonly well: false; readonly why: unknown } | undefined;
    try {
      return await this.#chain.write({ catalog, schema, table, actor }, async (unit) => {
        try {
          const result = await work(told(unit));
          ended = { well: true };
          return result;
        } catch (why) {
          ended = { well: false, why };
          throw why;
        }
      });
    } catch (error) {
      // What the work itself threw is its caller's; all else is the transaction's.
      if (ended?.well === false) throw ended.why;
      const failure = deltaErrorOf(error);
      if (ended === undefined) {
        await this.catalogExists(catalog); // the chain calls anything missing by one name
        throw failure;
      }
      throw new DeltaError('CommitStateUnknown', 'The transaction did not end well: send the same request again.', {
        cause: failure,
      });
    }
  }

  readCommitFile(location: string, relativePath: string): AsyncIterable<Uint8Array> {
    return this.#deps.storage.read(location, relativePath);
  }
}

/** The unit with its failures in the words of the port. */
function told(unit: TableUnitOfWork): TableUnitOfWork {
  return {
    table: unit.table,
    log: {
      tracked: () => asDelta(() => unit.log.tracked()),
      fileNameOf: (version) => asDelta(() => unit.log.fileNameOf(version)),
      apply: (change) => asDelta(() => unit.log.apply(change)),
    },
    updateTableRow: (spec) => asDelta(() => unit.updateTableRow(spec)),
  };
}

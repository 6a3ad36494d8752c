import { sql } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { Path } from '../../domain/path.ts';
import type { Attachments, Registration } from '../../domain/registration.ts';
import type {
  Registry,
  RegistryCapabilities,
  RegistryCatalog,
  RegistrationPage,
  RemoveAnswer,
  RemoveRequest,
  RepointAnswer,
  RepointRequest,
  RestoreAnswer,
  RestoreRequest,
} from '../registry.ts';
import { type CatalogConnection, allCatalogs, connectionOf } from './catalog-directory.ts';
import { registryCatalogOf } from './catalog-record.ts';
import { type CatalogRow, findCatalog } from './catalog-row.ts';
import { dispatcherChain } from './chain/chain.ts';
import type { CatalogDispatcher, ImportCounts, ImportedEntity } from './chain/dispatcher.ts';
import { failureOf, translated } from './database-failure.ts';
import { findInside, findRegistration } from './entity-rows.ts';
import { importBatches } from './import-batches.ts';
import type { OperationDeps } from './operations/operation-deps.ts';
import { RegistryRefusal } from './refusal.ts';
import { attachmentsById, countOf, dropsSince, hasTombstone, pageOf } from './registrations.ts';
import { entities } from './schema.ts';

/**
 * Our own registry, one metalake of it, as the reconciler uses it. The database is opened and closed by whoever
 * constructs. What people do to the same metalake is in `RegistryDesk`.
 */
export class EmbeddedRegistry implements Registry {
  readonly kind = 'embedded';
  readonly capabilities: RegistryCapabilities = {
    conditionalRemove: true,
    attachments: true,
    repoint: true,
    restore: true,
    exclusive: false,
  };
  readonly #deps: OperationDeps;
  readonly #chain: CatalogDispatcher;

  constructor(deps: OperationDeps) {
    this.#deps = deps;
    this.#chain = dispatcherChain(deps);
  }

  async catalogs(signal: AbortSignal): Promise<readonly RegistryCatalog[]> {
    signal.throwIfAborted();
    return (await translated(async () => allCatalogs(this.#deps))).map(registryCatalogOf);
  }

  async catalog(name: string, signal: AbortSignal): Promise<RegistryCatalog | undefined> {
    signal.throwIfAborted();
    const row = await translated(async () => findCatalog(this.#deps.db, this.#named(name)));
    return row === undefined ? undefined : registryCatalogOf(row);
  }

  async count(catalog: string, signal: AbortSignal): Promise<number> {
    return this.#read(catalog, signal, (row) => countOf(this.#deps.db, row));
  }

  async registrations(
    catalog: string,
    page: { readonly after?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<RegistrationPage> {
    return this.#read(catalog, signal, (row) => pageOf(this.#deps.db, row, 'everything', page));
  }

  async registration(catalog: string, id: string, signal: AbortSignal): Promise<Registration | undefined> {
    return this.#read(catalog, signal, (row) => findRegistration(this.#deps.db, row, { by: 'id', id }));
  }

  async inside(catalog: string, container: Path, signal: AbortSignal): Promise<readonly Registration[]> {
    return this.#read(catalog, signal, (row) => findInside(this.#deps.db, row, container));
  }

  async attachments(
    catalog: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Attachments>> {
    return this.#read(catalog, signal, (row) => attachmentsById(this.#deps.db, row, ids));
  }

  async dropsSince(catalog: string, sinceMs: number, signal: AbortSignal): Promise<number> {
    return this.#read(catalog, signal, (row) => dropsSince(this.#deps.db, row, sinceMs));
  }

  async remove(request: RemoveRequest): Promise<RemoveAnswer> {
    return valued(() => this.#chain.remove(request));
  }

  async repoint(request: RepointRequest): Promise<RepointAnswer> {
    return valued(() => this.#chain.repoint(request));
  }

  async restore(request: RestoreRequest): Promise<RestoreAnswer> {
    return valued(() => this.#chain.restore(request));
  }

  async outcomeOf(catalog: string, intentId: string, signal: AbortSignal): Promise<'removed' | 'no-trace'> {
    signal.throwIfAborted();
    const found = await translated(async () => hasTombstone(this.#deps.db, this.#named(catalog), intentId));
    return found ? 'removed' : 'no-trace';
  }

  /**
   * Registers what is not registered yet, and never changes or removes anything. Each batch is a transaction of its own:
   * an import that breaks off has added what it had, and is simply run again.
   *
   * @param items in any order; containers that are left out are added
   */
  async importRegistrations(
    catalog: string,
    items: Iterable<ImportedEntity> | AsyncIterable<ImportedEntity>,
    actor: string,
    signal: AbortSignal,
  ): Promise<ImportCounts> {
    const counts = await importBatches(items, signal, (batch) =>
      translated(async () => this.#chain.importAll({ catalog, actor, items: batch })),
    );
    // Until the database has counted them, it reads pages of a large import in a slow way (measured: five times).
    if (counts.added > 0) await translated(async () => this.#deps.db.execute(sql`analyze ${entities}`));
    return counts;
  }

  /** How to reach the source, with its secrets: for the composition root, and for nobody who answers requests. */
  async catalogConnection(catalog: string): Promise<CatalogConnection> {
    return translated(async () => connectionOf(this.#deps, catalog));
  }

  /** Nothing to close: the database belongs to whoever opened it. */
  async close(): Promise<void> {}

  /** A catalog that is not there is a wrong question, never an empty answer. */
  async #read<T>(catalog: string, signal: AbortSignal, work: (row: CatalogRow) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    return translated(async () => {
      const row = await findCatalog(this.#deps.db, this.#named(catalog));
      if (row === undefined) {
        throw new ReconcilerFailure('InvalidRequest', 'NO_SUCH_CATALOG', `no catalog ${JSON.stringify(catalog)}`);
      }
      return work(row);
    });
  }

  #named(catalog: string) {
    return { metalake: this.#deps.metalake, catalog };
  }
}

/** Through the chain. A failure of the database may have come after the commit, so it is `unknown`. */
async function valued<T>(
  asked: () => Promise<T>,
): Promise<T | { readonly outcome: 'refused' | 'unknown'; readonly reason: string }> {
  try {
    return await asked();
  } catch (error) {
    const failure = failureOf(error);
    if (failure instanceof RegistryRefusal) return { outcome: 'refused', reason: failure.reason };
    return { outcome: 'unknown', reason: failure instanceof ReconcilerFailure ? failure.code : failure.name };
  }
}

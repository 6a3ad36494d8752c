import type { RegistrationPage } from '../registry.ts';
import {
  type Asked,
  type CatalogPage,
  alterCatalog,
  catalogPage,
  createCatalog,
  dropCatalog,
} from './catalog-directory.ts';
import { type CatalogChange, type CatalogRecord, type NewCatalog, catalogRecordOf } from './catalog-record.ts';
import { type CatalogRow, requireCatalog } from './catalog-row.ts';
import { ownWordChain } from './chain/chain.ts';
import type { AlterCommand, CatalogDispatcher, CreateCommand, DropCommand, RenameCommand } from './chain/dispatcher.ts';
import { translated } from './database-failure.ts';
import type { EmbeddedDatabase } from './database.ts';
import { type Entity, type Target, findEntity } from './entity-rows.ts';
import { type RecordedEvent, eventsAfter } from './event-record.ts';
import { entityNotFound } from './operations/entity-not-found.ts';
import { type Listed, type PageRequest, pageOf } from './registrations.ts';

/**
 * What people do to one metalake of the embedded registry: every request of the routes. Refusals are thrown as
 * `RegistryRefusal`; every change of an entity goes through the chain.
 */
export class RegistryDesk {
  readonly #deps: { readonly db: EmbeddedDatabase; readonly metalake: string; readonly now: () => number };
  readonly #chain: CatalogDispatcher;

  constructor(deps: { readonly db: EmbeddedDatabase; readonly metalake: string; readonly now: () => number }) {
    this.#deps = deps;
    this.#chain = ownWordChain(deps);
  }

  async createCatalog(wanted: NewCatalog, actor: string): Promise<CatalogRecord> {
    return translated(async () => createCatalog(this.#deps, wanted, actor));
  }

  async catalog(name: string): Promise<CatalogRecord> {
    return this.#in(name, async (row) => catalogRecordOf(row));
  }

  async catalogs(page: PageRequest): Promise<CatalogPage> {
    return translated(async () => catalogPage(this.#deps, page));
  }

  async alterCatalog(name: string, change: CatalogChange, asked: Asked): Promise<CatalogRecord> {
    return translated(async () => alterCatalog(this.#deps, name, change, asked));
  }

  async dropCatalog(name: string, asked: Asked): Promise<void> {
    return translated(async () => dropCatalog(this.#deps, name, asked));
  }

  async entity(catalog: string, target: Target): Promise<Entity> {
    return this.#in(catalog, async (row) => (await findEntity(this.#deps.db, row, target)) ?? entityNotFound(target));
  }

  /** What lies directly in one place, in path order. */
  async entities(catalog: string, listed: Exclude<Listed, string>, page: PageRequest): Promise<RegistrationPage> {
    return this.#in(catalog, (row) => pageOf(this.#deps.db, row, listed, page));
  }

  async create(command: CreateCommand): Promise<Entity> {
    return translated(async () => this.#chain.create(command));
  }

  async rename(command: RenameCommand): Promise<Entity> {
    return translated(async () => this.#chain.rename(command));
  }

  async alter(command: AlterCommand): Promise<Entity> {
    return translated(async () => this.#chain.alter(command));
  }

  async drop(command: DropCommand): Promise<number> {
    return translated(async () => this.#chain.drop(command));
  }

  /** The outbox of one catalog, in order; kept after the catalog is gone. */
  async events(catalog: string, after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return translated(async () => eventsAfter(this.#deps.db, { ...this.#deps, catalog }, after, limit));
  }

  async #in<T>(catalog: string, work: (row: CatalogRow) => Promise<T>): Promise<T> {
    return translated(async () =>
      work(await requireCatalog(this.#deps.db, { metalake: this.#deps.metalake, catalog })),
    );
  }
}

import { and, eq, sql } from 'drizzle-orm';
import type { EntityKind } from '../../domain/registration.ts';
import { type EmbeddedDatabase, inTransaction } from './database.ts';
import { RegistryRefusal } from './refusal.ts';
import { catalogs } from './schema.ts';

export type CatalogRow = typeof catalogs.$inferSelect;

/** Which catalog, by name. */
export interface CatalogName {
  readonly metalake: string;
  readonly catalog: string;
}

/** The catalog's row; `undefined` where the metalake has none of that name. */
export async function findCatalog(db: EmbeddedDatabase, name: CatalogName): Promise<CatalogRow | undefined> {
  const [row] = await db.select().from(catalogs).where(named(name));
  return row;
}

export async function requireCatalog(db: EmbeddedDatabase, name: CatalogName): Promise<CatalogRow> {
  return (await findCatalog(db, name)) ?? noCatalog(name);
}

/**
 * One transaction that holds the catalog's write lock from its first statement on. The lock is in the database, so it
 * holds between processes too; everything that writes inside a catalog comes through here, or shares the lock with others
 * that each write to one table.
 */
export async function withCatalogLocked<T>(
  db: EmbeddedDatabase,
  name: CatalogName,
  work: (tx: EmbeddedDatabase, catalog: CatalogRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(name)})`);
    const [catalog] = await tx.select().from(catalogs).where(named(name)).for('update');
    return work(tx, catalog ?? noCatalog(name));
  });
}

/**
 * One transaction that keeps the whole of the catalog as it is, but for one table that it locks itself; any number of them
 * run beside each other. The lock is an advisory one, which is handed out in the order of asking: shared locks of the row
 * would let a stream of commits keep a writer of the catalog waiting for ever.
 *
 * @param patienceMs how long any lock is waited for; then the database's error 55P03
 */
export async function withCatalogShared<T>(
  db: EmbeddedDatabase,
  name: CatalogName,
  patienceMs: number,
  work: (tx: EmbeddedDatabase, catalog: CatalogRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select set_config('lock_timeout', ${String(patienceMs)}, true)`);
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${lockOf(name)})`);
    return work(tx, await requireCatalog(tx, name));
  });
}

/** What a transaction that shares the catalog needs before it writes an event: those are in the order of their commits. */
export async function lockCatalogRow(tx: EmbeddedDatabase, { id }: Pick<CatalogRow, 'id'>): Promise<void> {
  await tx.select({ id: catalogs.id }).from(catalogs).where(eq(catalogs.id, id)).for('update');
}

/** Two catalogs with the same number wait for each other now and then, and nothing worse. */
function lockOf({ metalake, catalog }: CatalogName) {
  return sql`hashtextextended(${JSON.stringify([metalake, catalog])}, 0)`;
}

/** Whether the catalog owns the storage of everything of that kind. */
export function managesKind(catalog: Pick<CatalogRow, 'managedKinds'>, kind: EntityKind): boolean {
  return catalog.managedKinds.includes(kind);
}

function named({ metalake, catalog }: CatalogName) {
  return and(eq(catalogs.metalake, metalake), eq(catalogs.name, catalog));
}

function noCatalog({ metalake, catalog }: CatalogName): never {
  throw new RegistryRefusal(
    'not-found',
    `no catalog ${JSON.stringify(catalog)} in metalake ${JSON.stringify(metalake)}`,
  );
}

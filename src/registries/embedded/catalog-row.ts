import { and, eq } from 'drizzle-orm';
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
 * holds between processes too; everything that writes inside a catalog comes through here.
 */
export async function withCatalogLocked<T>(
  db: EmbeddedDatabase,
  name: CatalogName,
  work: (tx: EmbeddedDatabase, catalog: CatalogRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const [catalog] = await tx.select().from(catalogs).where(named(name)).for('update');
    return work(tx, catalog ?? noCatalog(name));
  });
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

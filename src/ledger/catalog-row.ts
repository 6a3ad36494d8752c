import { eq } from 'drizzle-orm';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import type { LedgerDatabase } from './database.ts';
import type { CatalogKey } from './ledger.ts';
import { catalogs } from './schema.ts';

export type CatalogRow = typeof catalogs.$inferSelect;

export function catalogKey(metalake: string, name: string): CatalogKey {
  return pathText([metalake, name]);
}

export async function catalogRow(db: LedgerDatabase, key: CatalogKey): Promise<CatalogRow | undefined> {
  const [row] = await db.select().from(catalogs).where(eq(catalogs.key, key));
  return row;
}

/**
 * Takes the catalog's row until the transaction ends. Whatever decides about removals of a catalog takes it first and
 * findings after it, so that two of them never wait for each other in a circle.
 */
export async function lockCatalog(tx: LedgerDatabase, key: CatalogKey): Promise<CatalogRow> {
  const [row] = await tx.select().from(catalogs).where(eq(catalogs.key, key)).for('update');
  if (row === undefined) throw noSuchCatalog(key);
  return row;
}

/**
 * Keeps whoever wants {@link lockCatalog} waiting until the transaction ends, and nobody else: people may decide about
 * one catalog side by side.
 */
export async function holdOffIntents(tx: LedgerDatabase, key: CatalogKey): Promise<void> {
  await tx.select({ key: catalogs.key }).from(catalogs).where(eq(catalogs.key, key)).for('key share');
}

export function noSuchCatalog(key: CatalogKey): ReconcilerFailure {
  return new ReconcilerFailure('InvalidRequest', 'no-such-catalog', `no catalog ${key} was ever looked at`);
}

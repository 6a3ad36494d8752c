import { eq } from 'drizzle-orm';
import type { CatalogRow } from '../catalog-row.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { entities } from '../schema.ts';

/** Where managed tables of the schema are laid: its own root, else its catalog's; without a slash at the end. */
export async function managedRootOf(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  schemaId: string,
): Promise<string | undefined> {
  const [schema] = await db.select({ root: entities.storageLocation }).from(entities).where(eq(entities.id, schemaId));
  return (schema?.root ?? catalog.storageRoot ?? undefined)?.replace(/(?<=[^/])\/+$/, '');
}

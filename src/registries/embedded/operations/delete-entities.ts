import { sql } from 'drizzle-orm';
import type { Registration } from '../../../domain/registration.ts';
import type { CatalogRow } from '../catalog-row.ts';
import { type EmbeddedDatabase, inParts, isOneOf } from '../database.ts';
import { buriedLakeTable, deleteLakeTables } from '../lake/bury-tables.ts';
import { entities, entitySecrets, entityTags, tombstones } from '../schema.ts';

interface Burial {
  readonly by: string;
  readonly at: number;
  /** The removal's intent; absent where a person dropped it. */
  readonly intentId?: string;
}

/**
 * Takes rows out, leaves a tombstone for each, and cleans what hung on them: tags and secrets. Grants and policies are
 * the hook's; if one were left, the reference to its entity would fail the transaction.
 *
 * @param going in path order, so that the last part holds no container of an earlier one
 */
export async function deleteEntities(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  going: readonly Registration[],
  { by, at, intentId }: Burial,
): Promise<void> {
  const parts = [...inParts(going.map(({ id }) => id))];
  for (const ids of parts.reverse()) {
    await tx.execute(sql`
      insert into ${tombstones}
        (entity_id, metalake, catalog, catalog_id, kind, path_key, version, storage_location, lake_table,
          registered_at, dropped_at, dropped_by, intent_id)
      select e.id, ${catalog.metalake}, ${catalog.name}, e.catalog_id, e.kind, e.path_key, e.version,
        e.storage_location, ${buriedLakeTable}, e.created_at,
        ${at}::bigint, ${by}, ${intentId ?? null}
      from ${entities} e where ${isOneOf(sql`e.id`, ids)}`);
    await deleteLakeTables(tx, catalog, ids, at);
    await tx.delete(entityTags).where(isOneOf(entityTags.entityId, ids));
    await tx.delete(entitySecrets).where(isOneOf(entitySecrets.entityId, ids));
    await tx.delete(entities).where(isOneOf(entities.id, ids));
  }
}

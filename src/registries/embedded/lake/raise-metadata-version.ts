import { inArray, sql } from 'drizzle-orm';
import type { EmbeddedDatabase } from '../database.ts';
import { lakeTables } from './lake-schema.ts';

/** A change of what clients were told voids their etags. Of registrations that are no tables of the lake nothing changes. */
export async function raiseMetadataVersion(
  tx: EmbeddedDatabase,
  entityIds: readonly string[],
  at: number,
): Promise<void> {
  await tx
    .update(lakeTables)
    .set({ metadataVersion: sql`${lakeTables.metadataVersion} + 1`, metadataAt: at })
    .where(inArray(lakeTables.entityId, [...entityIds]));
}

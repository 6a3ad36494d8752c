import { sql } from 'drizzle-orm';
import type { CatalogRow } from '../catalog-row.ts';
import { type EmbeddedDatabase, inParts, isOneOf } from '../database.ts';
import { lakeCommits, lakeLeftovers, lakePastCommits, lakeTables } from './lake-schema.ts';
import type { BuriedLakeTable } from './lake-table.ts';

/** What the tombstone of entity `e` keeps of its table; null for everything else. */
export const buriedLakeTable = sql`(
  select jsonb_build_object('location', l.location, 'tableType', l.table_type, 'format', l.format, 'columns', l.columns,
    'uniform', l.uniform, 'metadataVersion', l.metadata_version::text)
  from ${lakeTables} l where l.entity_id = e.id)`;

/**
 * Takes tables and their logs out, before the entities go. The folder of a managed one belongs to nobody afterwards, and
 * is written down in the same transaction; that of an external one is somebody else's.
 */
export async function deleteLakeTables(
  tx: EmbeddedDatabase,
  { metalake }: Pick<CatalogRow, 'metalake'>,
  ids: readonly string[],
  at: number,
): Promise<void> {
  await tx.execute(sql`
    insert into ${lakeLeftovers} (entity_id, metalake, location, dropped_at)
    select l.entity_id, ${metalake}, l.location, ${at}::bigint from ${lakeTables} l
    where ${isOneOf(sql`l.entity_id`, ids)} and l.table_type = 'MANAGED'`);
  await tx.delete(lakeCommits).where(isOneOf(lakeCommits.entityId, ids));
  await tx.delete(lakePastCommits).where(isOneOf(lakePastCommits.entityId, ids));
  await tx.delete(lakeTables).where(isOneOf(lakeTables.entityId, ids));
}

/** Gives restored tables back what they were, with an etag that they never had before. */
export async function raiseLakeTables(
  tx: EmbeddedDatabase,
  graves: readonly { readonly entityId: string; readonly lakeTable: BuriedLakeTable | null }[],
  at: number,
): Promise<void> {
  const rows = graves.flatMap(({ entityId, lakeTable }) =>
    lakeTable === null
      ? []
      : [{ ...lakeTable, entityId, metadataVersion: BigInt(lakeTable.metadataVersion) + 1n, metadataAt: at }],
  );
  for (const part of inParts(rows, rowsAnInsert)) await tx.insert(lakeTables).values([...part]);
}

/** Eight values a row, and a statement carries 65,535 at most. */
const rowsAnInsert = 5_000;

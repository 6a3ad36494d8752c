import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { TableColumn, TableType } from '../../../delta/table.ts';
import { entities, key, ofEntity, registry, time } from '../schema.ts';
import type { StoredUniform } from './lake-table.ts';

/** What a table has beyond other registrations, in the words of its format. One row a table, if it has a format at all. */
export const lakeTables = registry.table(
  'lake_tables',
  {
    entityId: text('entity_id')
      .primaryKey()
      .references(() => entities.id),
    /** The storage location of its registration, here in an order in which all that lies below another is between two bounds. */
    location: key('location').notNull(),
    tableType: text('table_type').$type<TableType>().notNull(),
    /** `DELTA` … */
    format: text('format').notNull(),
    columns: jsonb('columns').$type<readonly TableColumn[]>().notNull(),
    uniform: jsonb('uniform').$type<StoredUniform>(),
    /**
     * The counter behind etags: moves with metadata and name. The registration's own version moves with these too, and with
     * everything that people attach.
     */
    metadataVersion: bigint('metadata_version', { mode: 'bigint' }).notNull(),
    /** When the metadata last changed. */
    metadataAt: time('metadata_at').notNull(),
  },
  (t) => [index('lake_tables_by_location').on(t.location)],
);

/** The commits of managed tables that are tracked still. Which may come and go is decided by the arbitration. */
export const lakeCommits = registry.table(
  'lake_commits',
  {
    entityId: ofEntity(),
    version: bigint('version', { mode: 'bigint' }).notNull(),
    timestamp: bigint('timestamp', { mode: 'bigint' }).notNull(),
    fileName: text('file_name').notNull(),
    fileSize: bigint('file_size', { mode: 'bigint' }).notNull(),
    fileModificationTimestamp: bigint('file_modification_timestamp', { mode: 'bigint' }).notNull(),
    /** Published in the table's own log; kept as the marker of the highest version. */
    backfilled: boolean('backfilled').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.entityId, t.version] })],
);

/** Whose version it was, for commits that are no longer tracked: a late resend is told from a conflict by it. */
export const lakePastCommits = registry.table(
  'lake_past_commits',
  {
    entityId: ofEntity(),
    version: bigint('version', { mode: 'bigint' }).notNull(),
    fileName: text('file_name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.entityId, t.version] })],
);

/** Places promised to whoever creates a managed table there. Outlive schema, catalog and table, without references. */
export const lakeReservations = registry.table(
  'lake_reservations',
  {
    /** The id that the table will have. */
    id: text('id').primaryKey(),
    metalake: key('metalake').notNull(),
    catalogId: text('catalog_id').notNull(),
    schemaId: text('schema_id').notNull(),
    name: text('name').notNull(),
    location: key('location').notNull(),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    /** When a table was created on it; for good. */
    finalisedAt: time('finalised_at'),
  },
  (t) => [
    uniqueIndex('lake_reservations_by_location').on(t.location),
    index('lake_reservations_open').on(t.catalogId, t.createdAt).where(sql`${t.finalisedAt} is null`),
  ],
);

/** Folders of managed tables that were dropped. Nothing deletes them yet; what does must read this table, and no other. */
export const lakeLeftovers = registry.table('lake_leftovers', {
  entityId: text('entity_id').primaryKey(),
  metalake: key('metalake').notNull(),
  location: text('location').notNull(),
  droppedAt: time('dropped_at').notNull(),
});

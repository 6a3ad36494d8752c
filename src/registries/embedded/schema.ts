import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { EntityKind } from '../../domain/registration.ts';
import type { BuriedLakeTable } from './lake/lake-table.ts';
import type { CaseRule } from './case-rule.ts';
import type { NameSpace } from './name-space.ts';
import type { EntityEventType } from './event-record.ts';

/**
 * Names and path texts compare by code point, whatever the database's own collation is: only then are pages in one
 * total order and do a container's contents lie between two bounds.
 */
export const key = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** Unix milliseconds of the injected clock; the database's own clock is never asked. */
export const time = (name: string) => bigint(name, { mode: 'number' });

/** 64-bit row numbers reach JavaScript as text from one driver and as numbers from the other: read as numbers. */
const rowNumber = (name: string) => bigint(name, { mode: 'number' }).generatedAlwaysAsIdentity();

const texts = (name: string) => jsonb(name).$type<Readonly<Record<string, string>>>().notNull().default({});

/**
 * Apart from the tables of the ledger, which may live in the same database. After a change to this file or to
 * `lake/lake-schema.ts`: `npx drizzle-kit generate --dialect postgresql --schema
 * 'src/registries/embedded/{schema,lake/lake-schema}.ts' --out src/registries/embedded/migrations`.
 */
export const registry = pgSchema('registry');

export const metalakes = registry.table('metalakes', {
  name: key('name').primaryKey(),
  owner: text('owner'),
  comment: text('comment'),
  version: integer('version').notNull().default(1),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** The row is also the lock: everything that writes inside a catalog locks it first. */
export const catalogs = registry.table(
  'catalogs',
  {
    id: text('id').primaryKey(),
    metalake: key('metalake')
      .notNull()
      .references(() => metalakes.name),
    name: key('name').notNull(),
    provider: text('provider').notNull(),
    owner: text('owner'),
    comment: text('comment'),
    /** How to reach the source, without secrets. */
    settings: texts('settings'),
    properties: texts('properties'),
    /** Where managed tables are laid whose schema names no root of its own. */
    storageRoot: text('storage_root'),
    managedKinds: jsonb('managed_kinds').$type<readonly EntityKind[]>().notNull().default([]),
    /** Set once: another rule would make two names of one. */
    caseRule: text('case_rule').$type<CaseRule>().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [uniqueIndex('catalogs_by_name').on(t.metalake, t.name)],
);

/** Read by the composition root only; no route and no listing selects from it. */
export const catalogSecrets = registry.table(
  'catalog_secrets',
  {
    catalogId: text('catalog_id')
      .notNull()
      .references(() => catalogs.id),
    name: key('name').notNull(),
    value: text('value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.catalogId, t.name] })],
);

export const entities = registry.table(
  'entities',
  {
    id: text('id').primaryKey(),
    catalogId: text('catalog_id')
      .notNull()
      .references(() => catalogs.id),
    /** Keeps the database itself from leaving contents behind without their container. */
    parentId: text('parent_id').references((): AnyPgColumn => entities.id),
    kind: text('kind').$type<EntityKind>().notNull(),
    nameSpace: key('name_space').$type<NameSpace>().notNull(),
    /** `pathText` of the full path, as it is spelled. */
    pathKey: key('path_key').notNull(),
    /** The same in lower case, only where the catalog compares names without regard to case. */
    foldedKey: key('folded_key'),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** This object's own storage is managed, beyond what its catalog says of the whole kind. */
    managed: boolean('managed').notNull().default(false),
    /** Where the object's data is; of a schema: the root of its managed tables. */
    storageLocation: text('storage_location'),
    owner: text('owner'),
    comment: text('comment'),
    properties: texts('properties'),
  },
  (t) => [
    uniqueIndex('entities_by_path').on(t.catalogId, t.pathKey, t.nameSpace),
    uniqueIndex('entities_by_folded_path')
      .on(t.catalogId, t.foldedKey, t.nameSpace)
      .where(sql`${t.foldedKey} is not null`),
    index('entities_by_parent').on(t.parentId, t.pathKey),
    // few schemas name a root, and all of them are looked at before a location counts as free
    index('entities_with_root').on(t.id).where(sql`${t.kind} = 'schema' and ${t.storageLocation} is not null`),
  ],
);

/** Dropped explicitly with their entity, so these references never cascade: a forgotten row is an error, not a leak. */
export const ofEntity = () =>
  text('entity_id')
    .notNull()
    .references(() => entities.id);

export const entityTags = registry.table('entity_tags', { entityId: ofEntity(), tag: key('tag').notNull() }, (t) => [
  primaryKey({ columns: [t.entityId, t.tag] }),
]);

export const entityPolicies = registry.table(
  'entity_policies',
  { entityId: ofEntity(), policy: key('policy').notNull() },
  (t) => [primaryKey({ columns: [t.entityId, t.policy] })],
);

export const entityGrants = registry.table(
  'entity_grants',
  { entityId: ofEntity(), principal: key('principal').notNull(), privilege: key('privilege').notNull() },
  (t) => [primaryKey({ columns: [t.entityId, t.principal, t.privilege] })],
);

export const entitySecrets = registry.table(
  'entity_secrets',
  { entityId: ofEntity(), name: key('name').notNull(), value: text('value').notNull() },
  (t) => [primaryKey({ columns: [t.entityId, t.name] })],
);

/** What was dropped; outlives its catalog, therefore without references. */
export const tombstones = registry.table(
  'tombstones',
  {
    entityId: text('entity_id').primaryKey(),
    metalake: key('metalake').notNull(),
    catalog: key('catalog').notNull(),
    catalogId: text('catalog_id').notNull(),
    kind: text('kind').$type<EntityKind>().notNull(),
    pathKey: key('path_key').notNull(),
    version: integer('version').notNull(),
    /** Given back if the removal is undone. */
    storageLocation: text('storage_location'),
    /** The same of a table with a format. */
    lakeTable: jsonb('lake_table').$type<BuriedLakeTable>(),
    registeredAt: time('registered_at').notNull(),
    droppedAt: time('dropped_at').notNull(),
    droppedBy: text('dropped_by').notNull(),
    /** The removal's intent; none where a person dropped it here. */
    intentId: text('intent_id'),
  },
  (t) => [
    index('tombstones_by_time').on(t.catalogId, t.droppedAt),
    index('tombstones_by_intent').on(t.intentId).where(sql`${t.intentId} is not null`),
  ],
);

/** Outbox: written in the transaction of what it tells, read in order by whoever forwards it. */
export const events = registry.table(
  'events',
  {
    seq: rowNumber('seq').primaryKey(),
    at: time('at').notNull(),
    metalake: key('metalake').notNull(),
    catalog: key('catalog').notNull(),
    type: text('type').$type<EntityEventType>().notNull(),
    outcome: text('outcome').$type<'ok' | 'failed'>().notNull(),
    reason: text('reason'),
    actor: text('actor').notNull(),
    entityId: text('entity_id'),
    kind: text('kind').$type<EntityKind | 'catalog'>().notNull(),
    pathKey: key('path_key').notNull(),
    /** Where it was before, for a rename. */
    fromPathKey: key('from_path_key'),
  },
  (t) => [index('events_by_catalog').on(t.metalake, t.catalog, t.seq)],
);

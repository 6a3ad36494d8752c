import { type SQL, and, eq } from 'drizzle-orm';
import { type Path, parentPath, pathText } from '../../../domain/path.ts';
import type { Attachments } from '../../../domain/registration.ts';
import type { RestoreAnswer, RestoredEntity } from '../../registry.ts';
import { insertSets } from '../attachment-rows.ts';
import { foldedKey } from '../case-rule.ts';
import { type CatalogRow, withCatalogLocked } from '../catalog-row.ts';
import { type RestoreCommand, runParts } from '../chain/dispatcher.ts';
import { type EmbeddedDatabase, inParts, isOneOf } from '../database.ts';
import { nameSpaceOf } from '../name-space.ts';
import { raiseLakeTables } from '../lake/bury-tables.ts';
import { RegistryRefusal } from '../refusal.ts';
import { entities, tombstones } from '../schema.ts';
import { placeOf } from './create-entity.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Fourteen values a row, and a statement carries 65,535 at most. */
const rowsAnInsert = 4_000;

type Tombstone = typeof tombstones.$inferSelect;
type EntityRow = typeof entities.$inferInsert;

/**
 * Registers again what a removal took out: all of it or nothing, in one transaction. The tombstone gives back what the
 * request does not know (when it was registered, where its storage is, its last version), and goes, so that a later drop
 * can leave another.
 */
export async function restoreEntities(deps: OperationDeps, command: RestoreCommand): Promise<RestoreAnswer> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const present = await presentAmong(tx, catalog, command.entities);
    const missing = command.entities
      .filter(({ id }) => !present.has(id))
      .sort((a, b) => a.path.length - b.path.length || (pathText(a.path) < pathText(b.path) ? -1 : 1));
    const buried = await tombstonesOf(tx, catalog, missing, command.intentId);
    const rows = await rowsFor(tx, catalog, missing, buried, deps.now());
    for (const level of levelsOf(rows)) {
      for (const part of inParts(level, rowsAnInsert)) await insertFree(tx, part);
    }
    await insertSets(
      tx,
      missing.map(({ id, attachments }) => ({ entityId: id, ...given(attachments) })),
    );
    await raiseLakeTables(tx, [...buried.values()], deps.now());
    await removeTombstones(tx, missing);
    await runParts(tx, command, missing);
    return { outcome: 'restored', entities: command.entities.length, warnings: [] };
  });
}

const nothing: Attachments = { tags: [], policies: [], grants: [], properties: {} };

function given(attachments: RestoredEntity['attachments']): Attachments {
  return attachments === 'unseen' ? nothing : attachments;
}

async function presentAmong(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  wanted: readonly RestoredEntity[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const ids of inParts(wanted.map(({ id }) => id))) {
    const here = and(eq(entities.catalogId, catalog.id), isOneOf(entities.id, ids));
    for (const { id } of await tx.select({ id: entities.id }).from(entities).where(here)) found.add(id);
  }
  return found;
}

/** Only what that very removal took: what somebody dropped since was dropped on purpose. */
async function tombstonesOf(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  missing: readonly RestoredEntity[],
  intentId: string,
): Promise<ReadonlyMap<string, Tombstone>> {
  const buried = new Map<string, Tombstone>();
  for (const ids of inParts(missing.map(({ id }) => id))) {
    const ofIntent: SQL | undefined = and(
      eq(tombstones.catalogId, catalog.id),
      eq(tombstones.intentId, intentId),
      isOneOf(tombstones.entityId, ids),
    );
    for (const row of await tx.select().from(tombstones).where(ofIntent)) buried.set(row.entityId, row);
  }
  return buried;
}

/** @param missing containers before their contents */
async function rowsFor(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  missing: readonly RestoredEntity[],
  buried: ReadonlyMap<string, Tombstone>,
  updatedAt: number,
): Promise<readonly EntityRow[]> {
  const containers = new Map<string, string>();
  const rows: EntityRow[] = [];
  for (const { id, kind, path, attachments } of missing) {
    const grave = buried.get(id);
    if (grave === undefined) {
      throw new RegistryRefusal('not-found', `no removed ${kind} ${pathText(path)} that this could undo`);
    }
    const { owner = null, comment = null, properties } = given(attachments);
    rows.push({
      id,
      catalogId: catalog.id,
      parentId: await parentOf(tx, catalog, path, containers),
      kind,
      nameSpace: nameSpaceOf(kind),
      pathKey: pathText(path),
      foldedKey: foldedKey(catalog.caseRule, path) ?? null,
      version: grave.version + 1,
      createdAt: grave.registeredAt,
      updatedAt,
      storageLocation: grave.storageLocation,
      owner,
      comment,
      properties,
    });
    if (kind === 'schema') containers.set(pathText(path), id);
  }
  return rows;
}

/** A taken name is told before anything is laid into a container that is not there. */
function levelsOf(rows: readonly EntityRow[]): readonly (readonly EntityRow[])[] {
  const levels = new Map<number, EntityRow[]>();
  for (const row of rows) {
    const depth = row.pathKey.split('/').length;
    const level = levels.get(depth);
    if (level === undefined) levels.set(depth, [row]);
    else level.push(row);
  }
  return [...levels.values()];
}

/** A container that comes back as well, or one that is registered. */
async function parentOf(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  path: Path,
  containers: Map<string, string>,
): Promise<string | null> {
  const parent = parentPath(path);
  const known = parent === undefined ? undefined : containers.get(pathText(parent));
  if (parent === undefined || known !== undefined) return known ?? null;
  const { parentId } = await placeOf(tx, catalog, path);
  if (parentId !== null) containers.set(pathText(parent), parentId);
  return parentId;
}

async function insertFree(tx: EmbeddedDatabase, rows: readonly EntityRow[]): Promise<void> {
  const inserted = await tx
    .insert(entities)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: entities.id });
  if (inserted.length === rows.length) return;
  const free = new Set(inserted.map(({ id }) => id));
  const taken = rows.find(({ id }) => !free.has(id))?.pathKey ?? '';
  throw new RegistryRefusal('already-exists', `${taken} is registered already`);
}

async function removeTombstones(tx: EmbeddedDatabase, missing: readonly RestoredEntity[]): Promise<void> {
  for (const ids of inParts(missing.map(({ id }) => id))) {
    await tx.delete(tombstones).where(isOneOf(tombstones.entityId, ids));
  }
}

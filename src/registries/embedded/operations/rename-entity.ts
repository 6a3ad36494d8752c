import { eq } from 'drizzle-orm';
import { type Path, isInside, pathText } from '../../../domain/path.ts';
import type { Registration } from '../../../domain/registration.ts';
import { foldedKey } from '../case-rule.ts';
import { type CatalogRow, withCatalogLocked } from '../catalog-row.ts';
import { type Affected, type RenameCommand, runParts } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { type Entity, findEntity, findInside, findNamed } from '../entity-rows.ts';
import { raiseMetadataVersion } from '../lake/raise-metadata-version.ts';
import { nameSpaceOf } from '../name-space.ts';
import { pathProblem } from '../names.ts';
import { RegistryRefusal } from '../refusal.ts';
import { entities } from '../schema.ts';
import { changeAttached } from './alter-entity.ts';
import { placeOf } from './create-entity.ts';
import { entityNotFound } from './entity-not-found.ts';
import { checkVersion } from './expected-version.ts';
import { moveInside } from './move-inside.ts';
import type { OperationDeps } from './operation-deps.ts';

/**
 * Another name or another container for an entity that stays itself: id and attachments are kept, and what is inside it
 * moves along. Versions rise, those of the contents too: their paths are part of what was judged.
 */
export async function renameEntity(deps: OperationDeps, command: RenameCommand): Promise<Entity> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const found = (await findEntity(tx, catalog, command.target)) ?? entityNotFound(command.target);
    checkVersion(found, command.expectedVersion);
    const at = deps.now();
    if (command.change !== undefined) await changeAttached(tx, found, command.change, at);
    await runParts(tx, command, await moveTo(tx, catalog, found, command.to, at));
    return (await findEntity(tx, catalog, { by: 'id', id: found.id })) ?? entityNotFound(command.target);
  });
}

/** Moves a registration and what is inside it, or throws why the place is none for it; itself first in the answer. */
export async function moveTo(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  found: Registration,
  to: Path,
  updatedAt: number,
): Promise<readonly Affected[]> {
  const { parentId, path } = await freePlace(tx, catalog, found, to);
  const inside = found.kind === 'schema' ? await findInside(tx, catalog, found.path) : [];
  const moved = inside.map((child) => movedAlong(child, found.path, path));

  await tx
    .update(entities)
    .set({
      parentId,
      pathKey: pathText(path),
      foldedKey: foldedKey(catalog.caseRule, path) ?? null,
      version: Number(found.version) + 1,
      updatedAt,
    })
    .where(eq(entities.id, found.id));
  await moveInside(tx, catalog, moved, updatedAt);
  if (found.kind === 'table') await raiseMetadataVersion(tx, [found.id], updatedAt);
  return [{ ...found, path, fromPath: found.path }, ...moved];
}

async function freePlace(tx: EmbeddedDatabase, catalog: CatalogRow, found: Registration, to: Path) {
  const problem = pathProblem(found.kind, to);
  if (problem !== undefined) throw new RegistryRefusal('invalid-name', problem);
  const place = await placeOf(tx, catalog, to);
  if (isInside(place.path, found.path) && found.kind === 'schema') {
    throw new RegistryRefusal('invalid-move', 'a schema cannot be moved into itself');
  }
  const holder = await findNamed(tx, catalog, nameSpaceOf(found.kind), place.path);
  // In a catalog without regard to case, its own new spelling is not a conflict.
  if (holder !== undefined && holder.id !== found.id) {
    throw new RegistryRefusal('already-exists', `${JSON.stringify(place.path)} is registered already`);
  }
  return place;
}

function movedAlong(child: Registration, from: Path, to: Path): Affected & { readonly fromPath: Path } {
  const path: Path = [...to, ...child.path.slice(from.length)];
  const problem = pathProblem(child.kind, path);
  if (problem !== undefined) throw new RegistryRefusal('invalid-name', `inside it: ${problem}`);
  return { id: child.id, kind: child.kind, path, fromPath: child.path };
}

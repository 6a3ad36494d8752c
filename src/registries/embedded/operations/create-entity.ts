import { randomUUID } from 'node:crypto';
import { type Path, parentPath, pathText } from '../../../domain/path.ts';
import { replaceSets } from '../attachment-rows.ts';
import { tidySets } from '../attachment-sets.ts';
import { foldedKey } from '../case-rule.ts';
import { type CatalogRow, withCatalogLocked } from '../catalog-row.ts';
import { type CreateCommand, runParts } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { type Entity, findEntity, findNamed } from '../entity-rows.ts';
import { nameSpaceOf } from '../name-space.ts';
import { keyProblem } from '../names.ts';
import { RegistryRefusal } from '../refusal.ts';
import { entities } from '../schema.ts';
import { changeEntitySecrets } from '../secret-rows.ts';
import { entityNotFound } from './entity-not-found.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Registers one entity in a container that is registered. */
export async function createEntity(deps: OperationDeps, command: CreateCommand): Promise<Entity> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const { kind } = command;
    const nameSpace = nameSpaceOf(kind);
    const { parentId, path } = await placeOf(tx, catalog, command.path);
    if ((await findNamed(tx, catalog, nameSpace, path)) !== undefined) {
      throw new RegistryRefusal('already-exists', `${JSON.stringify(path)} is registered already`);
    }
    const { owner, comment, properties, ...sets } = command.attachments ?? {};
    const id = command.id ?? randomUUID();
    const at = deps.now();
    const inserted = await tx
      .insert(entities)
      .values({
        id,
        catalogId: catalog.id,
        parentId,
        kind,
        nameSpace,
        pathKey: pathText(path),
        foldedKey: foldedKey(catalog.caseRule, path),
        createdAt: at,
        updatedAt: at,
        managed: command.managed,
        storageLocation: command.storageLocation,
        owner,
        comment,
        properties,
      })
      .onConflictDoNothing({ target: entities.id })
      .returning({ id: entities.id });
    // The name was free under the lock, so that only the id can be somebody else's.
    if (inserted.length === 0)
      throw new RegistryRefusal('id-taken', `what was promised the id ${id} is registered already`);
    await replaceSets(tx, id, tidySets(sets));
    await changeEntitySecrets(tx, id, command.secrets ?? {});
    await runParts(tx, command, [{ id, kind, path }]);
    return (await findEntity(tx, catalog, { by: 'id', id })) ?? entityNotFound({ by: 'id', id });
  });
}

/** Where a path will lie: its container by id, and the path with the container as it is spelled. */
export async function placeOf(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  wanted: Path,
): Promise<{ readonly parentId: string | null; readonly path: Path }> {
  const container = parentPath(wanted);
  if (container === undefined) return { parentId: null, path: wanted };
  const parent = await findNamed(tx, catalog, 'schema', container);
  if (parent === undefined) return entityNotFound({ by: 'path', kind: 'schema', path: container });
  const path: Path = [...parent.path, ...wanted.slice(-1)];
  const problem = keyProblem(pathText(path));
  if (problem !== undefined) throw new RegistryRefusal('invalid-name', problem);
  return { parentId: parent.id, path };
}

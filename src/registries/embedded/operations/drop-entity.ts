import type { Registration } from '../../../domain/registration.ts';
import { withCatalogLocked } from '../catalog-row.ts';
import { type DropCommand, runParts } from '../chain/dispatcher.ts';
import { findInside, findRegistration } from '../entity-rows.ts';
import { RegistryRefusal } from '../refusal.ts';
import { deleteEntities } from './delete-entities.ts';
import { entityNotFound } from './entity-not-found.ts';
import { checkVersion } from './expected-version.ts';
import type { OperationDeps } from './operation-deps.ts';

/**
 * A person's explicit drop: unregisters at once, whether or not the object is still at the source. The source is
 * neither asked nor changed; an import would register the object again.
 */
export async function dropEntity(deps: OperationDeps, command: DropCommand): Promise<number> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const found = (await findRegistration(tx, catalog, command.target)) ?? entityNotFound(command.target);
    checkVersion(found, command.expectedVersion);
    const inside = found.kind === 'schema' ? await findInside(tx, catalog, found.path) : [];
    if (inside.length > 0 && !command.cascade) {
      throw new RegistryRefusal(
        'not-empty',
        `${inside.length} registered inside; drop with cascade to take them along`,
      );
    }
    const going: readonly Registration[] = [found, ...inside];
    await runParts(tx, command, going);
    await deleteEntities(tx, catalog, going, { by: command.actor, at: deps.now() });
    return going.length;
  });
}

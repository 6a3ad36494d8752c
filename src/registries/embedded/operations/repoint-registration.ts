import { pathText } from '../../../domain/path.ts';
import type { RepointAnswer } from '../../registry.ts';
import { withCatalogLocked } from '../catalog-row.ts';
import { type RepointCommand, runParts } from '../chain/dispatcher.ts';
import { findRegistration } from '../entity-rows.ts';
import { RegistryRefusal } from '../refusal.ts';
import type { OperationDeps } from './operation-deps.ts';
import { moveTo } from './rename-entity.ts';

/**
 * The reconciler's rename, to where the object lives now: only of the very registration that was judged. It loses
 * nothing, so the source is not asked again; whether it may be done was asked right before.
 */
export async function repointRegistration(deps: OperationDeps, command: RepointCommand): Promise<RepointAnswer> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    if (deps.now() > command.notAfter) return { outcome: 'refused', reason: 'too-late' };
    const found = await findRegistration(tx, catalog, { by: 'id', id: command.id });
    if (found === undefined) return { outcome: 'already-gone' };
    if (found.kind !== command.kind) return { outcome: 'changed', reason: 'kind-changed' };
    if (pathText(found.path) === pathText(command.to)) return { outcome: 'already' };
    if (pathText(found.path) !== pathText(command.path)) return { outcome: 'changed', reason: 'moved' };
    if (found.version !== command.expectedVersion) return { outcome: 'changed', reason: 'version-changed' };
    if (found.managed) return { outcome: 'refused', reason: 'managed' };
    const moved = await moveTo(tx, catalog, found, command.to, deps.now());
    // Its container is spelled otherwise here than at the source: under that name nothing would be found.
    if (moved.some(({ id, path }) => id === found.id && pathText(path) !== pathText(command.to))) {
      throw new RegistryRefusal('invalid-name', `${pathText(command.to)} would be kept under another spelling`);
    }
    await runParts(tx, command, moved);
    return { outcome: 'repointed', entities: moved.length };
  });
}

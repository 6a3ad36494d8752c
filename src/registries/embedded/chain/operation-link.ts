import { alterEntity } from '../operations/alter-entity.ts';
import { createEntity } from '../operations/create-entity.ts';
import { dropEntity } from '../operations/drop-entity.ts';
import { importEntities } from '../operations/import-entities.ts';
import type { OperationDeps } from '../operations/operation-deps.ts';
import { removeRegistration } from '../operations/remove-registration.ts';
import { renameEntity } from '../operations/rename-entity.ts';
import { repointRegistration } from '../operations/repoint-registration.ts';
import { restoreEntities } from '../operations/restore-entities.ts';
import { writeTable } from '../operations/write-table.ts';
import type { CatalogDispatcher } from './dispatcher.ts';

/** The innermost link: does it, in one short transaction under the catalog's lock. */
export function operationLink(deps: OperationDeps): CatalogDispatcher {
  return {
    create: (command) => createEntity(deps, command),
    importAll: (command) => importEntities(deps, command),
    rename: (command) => renameEntity(deps, command),
    alter: (command) => alterEntity(deps, command),
    write: (command, work) => writeTable(deps, command, work),
    drop: (command) => dropEntity(deps, command),
    remove: (command) => removeRegistration(deps, command),
    repoint: (command) => repointRegistration(deps, command),
    restore: (command) => restoreEntities(deps, command),
  };
}

import { isOneOf } from '../database.ts';
import { entityGrants, entityPolicies } from '../schema.ts';
import { type CatalogDispatcher, type Within, joinedBy } from './dispatcher.ts';

/**
 * What goes with an entity's life: its creator becomes its owner, and its privileges and policies are withdrawn before
 * it goes. The withdrawal is part of the operation's transaction, so that neither outlives the other.
 */
export function hookLink(next: CatalogDispatcher): CatalogDispatcher {
  return {
    create: (command) => next.create({ ...command, attachments: { owner: command.actor, ...command.attachments } }),
    // Nobody created what an import found, so nobody owns it: an owner would make a person's approval necessary.
    importAll: (command) => next.importAll(command),
    rename: (command) => next.rename(command),
    alter: (command) => next.alter(command),
    write: (command, work) => next.write(command, work),
    drop: (command) => next.drop(joinedBy(command, withdraw)),
    remove: (command) => next.remove(joinedBy(command, withdraw)),
    repoint: (command) => next.repoint(command),
    // What comes back belongs to whom it belonged: nobody's stays nobody's.
    restore: (command) => next.restore(command),
  };
}

const withdraw: Within = async (tx, affected) => {
  const ids = affected.map(({ id }) => id);
  await tx.delete(entityGrants).where(isOneOf(entityGrants.entityId, ids));
  await tx.delete(entityPolicies).where(isOneOf(entityPolicies.entityId, ids));
};

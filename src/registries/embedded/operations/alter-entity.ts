import { eq } from 'drizzle-orm';
import { isDeepStrictEqual } from 'node:util';
import type { Attachments } from '../../../domain/registration.ts';
import { replaceSets } from '../attachment-rows.ts';
import { type AttachmentSets, tidySets } from '../attachment-sets.ts';
import { changedTexts } from '../catalog-record.ts';
import { withCatalogLocked } from '../catalog-row.ts';
import { type AlterCommand, type EntityChange, runParts } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { type Entity, findEntity } from '../entity-rows.ts';
import { raiseMetadataVersion } from '../lake/raise-metadata-version.ts';
import { entities } from '../schema.ts';
import { changeEntitySecrets } from '../secret-rows.ts';
import { entityNotFound } from './entity-not-found.ts';
import { checkVersion } from './expected-version.ts';
import type { OperationDeps } from './operation-deps.ts';

/**
 * Changes what is attached to an entity, and raises its version: a finding that was approved for the old attachments is
 * thereby void. A change to what already is changes nothing, so that a nightly job that sets the same tags again does not
 * void approvals.
 */
export async function alterEntity(deps: OperationDeps, command: AlterCommand): Promise<Entity> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const found = (await findEntity(tx, catalog, command.target)) ?? entityNotFound(command.target);
    checkVersion(found, command.expectedVersion);
    if (!(await changeAttached(tx, found, command.change, deps.now()))) return found;
    await runParts(tx, command, [found]);
    return (await findEntity(tx, catalog, { by: 'id', id: found.id })) ?? entityNotFound(command.target);
  });
}

/** Whether anything was changed. */
export async function changeAttached(
  tx: EmbeddedDatabase,
  found: Entity,
  change: EntityChange,
  updatedAt: number,
): Promise<boolean> {
  const before = found.attachments;
  const after = changed(before, change);
  const secretsChanged = await changeEntitySecrets(tx, found.id, change.secrets ?? {});
  if (!secretsChanged && isDeepStrictEqual(before, after)) return false;

  await replaceSets(tx, found.id, onlyChangedSets(before, after));
  const { owner = null, comment = null, properties } = after;
  await tx
    .update(entities)
    .set({ owner, comment, properties, version: Number(found.version) + 1, updatedAt })
    .where(eq(entities.id, found.id));
  // Of these two Delta clients know too, and an etag from before must not hold any longer.
  const toldToClients = !isDeepStrictEqual([before.properties, before.comment], [properties, after.comment]);
  if (toldToClients) await raiseMetadataVersion(tx, [found.id], updatedAt);
  return true;
}

function changed(before: Attachments, change: EntityChange): Attachments {
  const { owner: _owner, comment: _comment, ...rest } = before;
  const owner = change.owner === undefined ? before.owner : change.owner;
  const comment = change.comment === undefined ? before.comment : change.comment;
  return {
    ...rest,
    ...(owner === undefined || owner === null ? {} : { owner }),
    ...(comment === undefined || comment === null ? {} : { comment }),
    properties: changedTexts(before.properties, change.properties),
    ...tidySets(change),
  };
}

function onlyChangedSets(before: AttachmentSets, after: AttachmentSets): Partial<AttachmentSets> {
  return {
    ...(isDeepStrictEqual(before.tags, after.tags) ? {} : { tags: after.tags }),
    ...(isDeepStrictEqual(before.policies, after.policies) ? {} : { policies: after.policies }),
    ...(isDeepStrictEqual(before.grants, after.grants) ? {} : { grants: after.grants }),
  };
}

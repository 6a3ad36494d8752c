import { eq, sql } from 'drizzle-orm';
import type { Attachments, Grant } from '../../domain/registration.ts';
import type { AttachmentSets } from './attachment-sets.ts';
import { type EmbeddedDatabase, inParts } from './database.ts';
import { entities, entityGrants, entityPolicies, entitySecrets, entityTags } from './schema.ts';

/**
 * Everything attached to an entity, as columns of one statement, so that it is one moment's state. Sorted by code point:
 * the digest of a finding's evidence covers it. The table is named in full, since drizzle shortens its own references.
 */
export const attachmentColumns = {
  owner: entities.owner,
  comment: entities.comment,
  properties: entities.properties,
  tags: sql<readonly string[]>`(
    select coalesce(json_agg(t.tag order by t.tag), '[]'::json)
    from ${entityTags} t where t.entity_id = registry.entities.id)`.as('tags'),
  policies: sql<readonly string[]>`(
    select coalesce(json_agg(p.policy order by p.policy), '[]'::json)
    from ${entityPolicies} p where p.entity_id = registry.entities.id)`.as('policies'),
  grants: sql<readonly Grant[]>`(
    select coalesce(json_agg(json_build_object('principal', g.principal, 'privilege', g.privilege)
      order by g.principal, g.privilege), '[]'::json)
    from ${entityGrants} g where g.entity_id = registry.entities.id)`.as('grants'),
  secrets: sql<readonly string[]>`(
    select coalesce(json_agg(x.name order by x.name), '[]'::json)
    from ${entitySecrets} x where x.entity_id = registry.entities.id)`.as('secrets'),
};

export interface AttachmentRow {
  readonly owner: string | null;
  readonly comment: string | null;
  readonly properties: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly policies: readonly string[];
  readonly grants: readonly Grant[];
  /** Names alone. */
  readonly secrets: readonly string[];
}

export function attachmentsOf(row: AttachmentRow): Attachments {
  const { owner, comment, properties, tags, policies, grants, secrets } = row;
  return {
    ...(owner === null ? {} : { owner }),
    ...(comment === null ? {} : { comment }),
    tags,
    policies,
    grants,
    properties,
    ...(secrets.length === 0 ? {} : { secrets }),
  };
}

/** Makes the sets of an entity what they are said to be, each element named once; what is not named stays. */
export async function replaceSets(
  tx: EmbeddedDatabase,
  entityId: string,
  sets: Partial<AttachmentSets>,
): Promise<void> {
  const { tags, policies, grants } = sets;
  if (tags !== undefined) {
    await tx.delete(entityTags).where(eq(entityTags.entityId, entityId));
    if (tags.length > 0) await tx.insert(entityTags).values(tags.map((tag) => ({ entityId, tag })));
  }
  if (policies !== undefined) {
    await tx.delete(entityPolicies).where(eq(entityPolicies.entityId, entityId));
    if (policies.length > 0) await tx.insert(entityPolicies).values(policies.map((policy) => ({ entityId, policy })));
  }
  if (grants !== undefined) {
    await tx.delete(entityGrants).where(eq(entityGrants.entityId, entityId));
    if (grants.length > 0) await tx.insert(entityGrants).values(grants.map((grant) => ({ entityId, ...grant })));
  }
}

/** The sets of entities that have none yet, all of one set in as few statements as can be. */
export async function insertSets(
  tx: EmbeddedDatabase,
  given: readonly (AttachmentSets & { readonly entityId: string })[],
): Promise<void> {
  const tags = given.flatMap(({ entityId, tags: all }) => all.map((tag) => ({ entityId, tag })));
  for (const rows of inParts(tags)) await tx.insert(entityTags).values([...rows]);
  const policies = given.flatMap(({ entityId, policies: all }) => all.map((policy) => ({ entityId, policy })));
  for (const rows of inParts(policies)) await tx.insert(entityPolicies).values([...rows]);
  const grants = given.flatMap(({ entityId, grants: all }) => all.map((grant) => ({ entityId, ...grant })));
  for (const rows of inParts(grants)) await tx.insert(entityGrants).values([...rows]);
}

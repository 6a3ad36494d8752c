import type { z } from 'zod';
import type { Path } from '../../../domain/path.ts';
import type { EntityKind } from '../../../domain/registration.ts';
import type { Target } from '../../../registries/embedded/entity-rows.ts';
import { relationParams, schemaParams } from '../../schemas/registry-entity.ts';
import { levelSeparator } from '../../schemas/registry-names.ts';

/** What the segments of an entity's address say. */
export interface EntityParams {
  readonly metalake: string;
  readonly catalog: string;
  readonly schema: Path;
  /** Absent where the schema itself is meant. */
  readonly name?: string;
}

/** A kind of entity with the address of one of them. */
export interface EntityFamily {
  readonly kind: EntityKind;
  readonly url: string;
  readonly params: z.ZodType<EntityParams>;
}

export const catalogUrl = '/metalakes/:metalake/catalogs/:catalog';

export const schemaFamily: EntityFamily = {
  kind: 'schema',
  url: `${catalogUrl}/schemas/:schema`,
  params: schemaParams,
};
export const tableFamily: EntityFamily = {
  kind: 'table',
  url: `${catalogUrl}/schemas/:schema/tables/:name`,
  params: relationParams,
};
export const viewFamily: EntityFamily = {
  kind: 'view',
  url: `${catalogUrl}/schemas/:schema/views/:name`,
  params: relationParams,
};

/** The entity that an address names. */
export function targetOf(kind: EntityKind, { schema, name }: EntityParams): Target {
  return { by: 'path', kind, path: name === undefined ? schema : [...schema, name] };
}

/** The address of an entity below the routes' prefix; each segment is encoded once. */
export function addressOf(
  at: { readonly metalake: string; readonly catalog: string },
  kind: EntityKind,
  path: Path,
): string {
  const catalog = `/metalakes/${encodeURIComponent(at.metalake)}/catalogs/${encodeURIComponent(at.catalog)}`;
  const schema = (levels: readonly string[]) => `/schemas/${encodeURIComponent(levels.join(levelSeparator))}`;
  if (kind === 'schema') return catalog + schema(path);
  const name = encodeURIComponent(path.at(-1) ?? '');
  return `${catalog}${schema(path.slice(0, -1))}/${kind}s/${name}`;
}

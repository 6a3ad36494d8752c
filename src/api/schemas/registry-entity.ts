import { z } from 'zod';
import { EntityKindView } from './kinds.ts';
import { nextCursor } from './page.ts';
import { LevelName, LevelPath, RegistryName, SchemaSegment } from './registry-names.ts';
import {
  Comment,
  Grants,
  Label,
  Policies,
  Secrets,
  SecretsChange,
  StorageLocation,
  Tags,
  Texts,
  TextsChange,
  registryPageQuery,
} from './registry-parts.ts';
import { Id, Time } from './text.ts';

export const registryCatalogParams = z.object({ metalake: RegistryName, catalog: RegistryName });
export const schemaParams = registryCatalogParams.extend({ schema: SchemaSegment });
export const relationParams = schemaParams.extend({ name: LevelName });
export const entityIdParams = registryCatalogParams.extend({ id: Id });

/** A registration in a list. */
export const RegisteredView = z.object({
  id: z.string(),
  kind: EntityKindView,
  path: z.array(z.string()).min(1),
  version: z.string(),
  createdAt: Time,
  managed: z.boolean().meta({ description: 'Its catalog owns its storage: never reconciled.' }),
});

export const RegisteredPage = z.object({ entities: z.array(RegisteredView), next: nextCursor });

/** One registration with everything attached to it. */
export const EntityView = RegisteredView.extend({
  updatedAt: Time,
  storageLocation: z.string().exactOptional(),
  owner: z.string().exactOptional(),
  comment: z.string().exactOptional(),
  tags: z.array(z.string()),
  policies: z.array(z.string()),
  grants: z.array(z.object({ principal: z.string(), privilege: z.string() })),
  properties: z.record(z.string(), z.string()),
});
export type EntityView = z.infer<typeof EntityView>;

const attached = {
  owner: Label.exactOptional().meta({ description: 'Whoever creates it, unless said otherwise.' }),
  comment: Comment.exactOptional(),
  properties: Texts.exactOptional(),
  tags: Tags.exactOptional(),
  policies: Policies.exactOptional(),
  grants: Grants.exactOptional(),
  secrets: Secrets.exactOptional(),
};

export const CreateSchema = z.strictObject({ path: LevelPath, ...attached });
export const CreateRelation = z.strictObject({
  name: LevelName,
  storageLocation: StorageLocation.exactOptional(),
  ...attached,
});

export const AlterEntity = z.strictObject({
  comment: Comment.nullable().exactOptional(),
  properties: TextsChange.exactOptional(),
  secrets: SecretsChange.exactOptional(),
});

export const RenameEntity = z.strictObject({
  path: LevelPath.meta({ description: 'The full new path; another container moves it there.' }),
});

export const listSchemasQuery = z.strictObject({
  ...registryPageQuery,
  parent: SchemaSegment.exactOptional().meta({
    description: 'Schemas directly in this one; outermost ones if absent.',
  }),
});
export const listRelationsQuery = z.strictObject(registryPageQuery);

export const dropQuery = z.strictObject({
  cascade: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Takes along what is inside; without it a container with contents is refused.' }),
});

export const Dropped = z.object({ dropped: z.int().meta({ description: 'How many registrations went.' }) });

export const OwnerBody = z.strictObject({ owner: Label });
export const OwnerView = z.object({ owner: z.string().exactOptional(), version: z.string() });

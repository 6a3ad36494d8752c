import { z } from 'zod';
import { EntityKindView } from './kinds.ts';
import { nextCursor } from './page.ts';
import { RegistryName } from './registry-names.ts';
import { Comment, Label, Secrets, SecretsChange, Texts, TextsChange } from './registry-parts.ts';
import { Time } from './text.ts';

const CaseRuleView = z.enum(['sensitive', 'lower', 'upper', 'insensitive']).meta({
  description:
    'What happens to names: kept (`sensitive`), put in lower or upper case as the source does, or kept and compared ' +
    'without regard to case (`insensitive`). Set once.',
});

export const MetalakeView = z.object({
  name: z.string(),
  owner: z.string().exactOptional(),
  comment: z.string().exactOptional(),
  version: z.string(),
  createdAt: Time,
  updatedAt: Time,
});

export const MetalakePage = z.object({ metalakes: z.array(MetalakeView), next: nextCursor });

export const CreateMetalake = z.strictObject({
  name: RegistryName,
  owner: Label.exactOptional().meta({ description: 'Whoever creates it, unless said otherwise.' }),
  comment: Comment.exactOptional(),
});

/** A catalog with how to reach its source, without the secrets that this takes. */
export const RegistryCatalogView = z.object({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  owner: z.string().exactOptional(),
  comment: z.string().exactOptional(),
  settings: z.record(z.string(), z.string()),
  properties: z.record(z.string(), z.string()),
  managedKinds: z.array(EntityKindView),
  caseRule: CaseRuleView,
  version: z.string(),
  createdAt: Time,
  updatedAt: Time,
});

export const RegistryCatalogPage = z.object({ catalogs: z.array(RegistryCatalogView), next: nextCursor });

const ManagedKinds = z
  .array(EntityKindView)
  .max(EntityKindView.options.length)
  .meta({ description: 'Kinds whose storage the catalog itself manages: never reconciled.' });

export const CreateCatalog = z.strictObject({
  name: RegistryName,
  provider: Label.meta({ description: 'Which kind of source: `postgresql` or `delta`.' }),
  owner: Label.exactOptional().meta({ description: 'Whoever creates it, unless said otherwise.' }),
  comment: Comment.exactOptional(),
  settings: Texts.exactOptional().meta({ description: 'How to reach the source: host, port, database, user …' }),
  properties: Texts.exactOptional(),
  managedKinds: ManagedKinds.exactOptional(),
  caseRule: CaseRuleView.exactOptional(),
  secrets: Secrets.exactOptional(),
});

export const AlterCatalog = z.strictObject({
  comment: Comment.nullable().exactOptional(),
  settings: TextsChange.exactOptional(),
  properties: TextsChange.exactOptional(),
  managedKinds: ManagedKinds.exactOptional(),
  secrets: SecretsChange.exactOptional(),
});

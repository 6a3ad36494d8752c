import type { Path } from './path.ts';

/** What a registration says it is. */
export type EntityKind = 'schema' | 'table' | 'view' | 'topic';

/** What an object really is at its source. A kind that no registration can have is `other`. */
export type ObjectKind =
  | 'schema'
  | 'table'
  | 'partitioned-table'
  | 'foreign-table'
  | 'view'
  | 'materialized-view'
  | 'topic'
  | 'other';

/** The object kinds that a registration of a kind may stand for; any other is a replacement. */
export const objectKindsOf = {
  schema: ['schema'],
  table: ['table', 'partitioned-table', 'foreign-table'],
  view: ['view', 'materialized-view'],
  topic: ['topic'],
} as const satisfies Record<EntityKind, readonly ObjectKind[]>;

/** Whether an object of `found` kind is what a registration of `kind` stands for. */
export function kindFits(kind: EntityKind, found: ObjectKind): boolean {
  return (objectKindsOf[kind] as readonly ObjectKind[]).includes(found);
}

/** The registration kind that an object is imported as; `undefined` for one that is never registered. */
export function entityKindOf(found: ObjectKind): EntityKind | undefined {
  return (Object.keys(objectKindsOf) as EntityKind[]).find((kind) => kindFits(kind, found));
}

/** What a registry says exists. Ids and versions are opaque: only their equality means anything. */
export interface Registration {
  readonly id: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  /** When it was registered, Unix milliseconds. */
  readonly createdAt: number;
  /** True where the catalog owns the storage of this object: never probed, never removed. */
  readonly managed: boolean;
  /** Where its storage is, as it was registered; only of what is known by its place, such as a Delta table. */
  readonly location?: string;
}

export interface Grant {
  readonly principal: string;
  readonly privilege: string;
}

/** What people attached to a registration and would lose with it. Never a secret. */
export interface Attachments {
  readonly owner?: string;
  readonly comment?: string;
  readonly tags: readonly string[];
  readonly policies: readonly string[];
  readonly grants: readonly Grant[];
  readonly properties: Readonly<Record<string, string>>;
  /** Names of secrets, which alone are known: what they hold cannot be saved, and does not come back. */
  readonly secrets?: readonly string[];
}

/** Whether anything is attached that a policy may want a person to look at before it is lost. */
export function isAttended(attachments: Attachments): boolean {
  return (
    attachments.owner !== undefined ||
    attachments.tags.length > 0 ||
    attachments.policies.length > 0 ||
    attachments.grants.length > 0
  );
}

import type { Path } from '../../../domain/path.ts';
import type { Attachments, EntityKind } from '../../../domain/registration.ts';
import type {
  RemoveAnswer,
  RemoveRequest,
  RepointAnswer,
  RepointRequest,
  RestoreAnswer,
  RestoreRequest,
} from '../../registry.ts';
import type { EmbeddedDatabase } from '../database.ts';
import type { Entity, Target } from '../entity-rows.ts';
import type { TableInUnit } from '../lake/table-in-unit.ts';

/** An entity that an operation is about, as it was before a removal or rename and as it is after a creation. */
export interface Affected {
  readonly id: string;
  readonly kind: EntityKind;
  readonly path: Path;
  /** Where it was, for a rename. */
  readonly fromPath?: Path;
}

/**
 * A link's own part of an operation, run inside the operation's transaction: once everything is decided, and before
 * rows are deleted. Only the given handle may be used. Throwing undoes the whole operation.
 */
export type Within = (tx: EmbeddedDatabase, affected: readonly Affected[]) => Promise<void>;

interface Command {
  readonly catalog: string;
  /** Who is shown in the events. */
  readonly actor: string;
  /** Added by links on the way in. */
  readonly within?: readonly Within[];
}

/** What a registration can carry from its first moment on. */
export interface NewEntity {
  /** Chosen here unless it was promised to somebody already. */
  readonly id?: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly storageLocation?: string;
  /** This object's own storage is managed, beyond what its catalog says of the whole kind. */
  readonly managed?: boolean;
  readonly attachments?: Partial<Attachments>;
  /** Stored apart and never given out. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export type CreateCommand = Command & NewEntity;

/** An entity that an import found at its source. */
export interface ImportedEntity {
  readonly kind: EntityKind;
  readonly path: Path;
  readonly comment?: string;
  readonly storageLocation?: string;
}

export interface ImportCommand extends Command {
  readonly items: readonly ImportedEntity[];
}

export interface ImportCounts {
  readonly added: number;
  /** Registered already; left as it is. */
  readonly existing: number;
  /** Cannot be registered under that name. */
  readonly refused: number;
}

/** What to change; a field that is not there stays. `null` takes away. */
export interface EntityChange {
  readonly owner?: string | null;
  readonly comment?: string | null;
  /** By key; the others stay. */
  readonly properties?: Readonly<Record<string, string | null>>;
  /** The whole set. */
  readonly tags?: readonly string[];
  readonly policies?: readonly string[];
  readonly grants?: Attachments['grants'];
  /** By name; the others stay. */
  readonly secrets?: Readonly<Record<string, string | null>>;
}

export interface RenameCommand extends Command {
  readonly target: Target;
  readonly to: Path;
  /** Takes effect together with the name, or not at all. */
  readonly change?: EntityChange;
  readonly expectedVersion?: string;
}

export interface AlterCommand extends Command {
  readonly target: Target;
  readonly change: EntityChange;
  readonly expectedVersion?: string;
}

/** Somebody wants one table of the lake to themselves for a moment. */
export interface WriteCommand extends Command {
  readonly schema: string;
  readonly table: string;
}

/** A person's explicit drop: taken at its word, without asking the source. */
export interface DropCommand extends Command {
  readonly target: Target;
  readonly cascade: boolean;
  readonly expectedVersion?: string;
}

export type RemoveCommand = Command & RemoveRequest;

export type RepointCommand = Command & RepointRequest;

export type RestoreCommand = Command & RestoreRequest;

/**
 * Everything that changes what is registered in a catalog. Each link of the chain is one of these around the next:
 * event → normalize → hook → operation. Refusals are thrown as `RegistryRefusal`; what the
 * reconciler asks for is answered with a value.
 */
export interface CatalogDispatcher {
  create(command: CreateCommand): Promise<Entity>;
  /** Adds what is not registered yet, missing containers included; never changes or removes anything. */
  importAll(command: ImportCommand): Promise<ImportCounts>;
  /** The entity keeps its id and everything attached to it; what is inside it moves along. */
  rename(command: RenameCommand): Promise<Entity>;
  /** Raises the version, unless everything is as wished already. */
  alter(command: AlterCommand): Promise<Entity>;
  /**
   * Runs `work` with one table to itself, beside writers of other tables: all that it does is committed when it resolves.
   * Only a change of metadata is told as an event, since commits of data change nothing of the registration.
   */
  write<T>(command: WriteCommand, work: (unit: TableInUnit) => Promise<T>): Promise<T>;
  /** How many entities went. */
  drop(command: DropCommand): Promise<number>;
  /** The reconciler's removal: conditional on what was judged, and the source is asked first. */
  remove(command: RemoveCommand): Promise<RemoveAnswer>;
  /** The reconciler's rename: conditional on what was judged. */
  repoint(command: RepointCommand): Promise<RepointAnswer>;
  /** The undoing of a removal: the same ids, with what was saved. */
  restore(command: RestoreCommand): Promise<RestoreAnswer>;
}

/** The command with one more part for its transaction. */
export function joinedBy<C extends Command>(command: C, part: Within): C {
  return { ...command, within: [...(command.within ?? []), part] };
}

/** Runs the links' parts, the innermost link's first. */
export async function runParts(
  tx: EmbeddedDatabase,
  command: Pick<Command, 'within'>,
  affected: readonly Affected[],
): Promise<void> {
  for (const part of [...(command.within ?? [])].reverse()) await part(tx, affected);
}

import type { Path } from '../domain/path.ts';
import type { Attachments, EntityKind, Registration } from '../domain/registration.ts';
import type { RestoreWarning } from '../domain/restore.ts';

/** What a registry can do; shown in reports, and nothing is faked where it cannot. */
export interface RegistryCapabilities {
  /** A removal can be made conditional on id and version, inside the registry. */
  readonly conditionalRemove: boolean;
  /** Attachments can be read, so that they can be saved and are part of the digest. */
  readonly attachments: boolean;
  /** The registry can change the name of a registration and keep its attachments. */
  readonly repoint: boolean;
  /** A removed registration can be registered again under its old id. */
  readonly restore: boolean;
  /** Removals and rounds of one catalog must not overlap. */
  readonly exclusive: boolean;
}

/** How to reach the system behind a catalog; the password travels apart from it. */
export interface SourceConnection {
  /** Which source adapter: `postgresql`. */
  readonly provider: string;
  /** Adapter settings without secrets: host, port, database, user, sslmode … */
  readonly settings: Readonly<Record<string, string>>;
}

/** A group of registrations over one source. */
export interface RegistryCatalog {
  readonly name: string;
  readonly provider: string;
  readonly owner?: string;
  /** Kinds whose storage the catalog itself manages: never reconciled. */
  readonly managedKinds: readonly EntityKind[];
  /** Absent where the registry does not tell; then our own configuration must. */
  readonly connection?: SourceConnection;
}

export interface RegistrationPage {
  readonly items: readonly Registration[];
  /** Give it back as `after` for the next page; absent on the last one. */
  readonly next?: string;
}

/** A removal, conditional on what was judged. */
export interface RemoveRequest {
  readonly catalog: string;
  readonly id: string;
  readonly kind: EntityKind;
  readonly path: Path;
  /** Our ledger's intent; the registry keeps it with the tombstone, so that an unclear outcome can be looked up. */
  readonly intentId: string;
  readonly expectedVersion: string;
  /**
   * Every registration inside it, by id and version, as it was judged. A container goes with exactly these; one more,
   * one less or one changed refuses.
   */
  readonly expectedInside: readonly { readonly id: string; readonly version: string }[];
  /** Who is shown in the registry's events. */
  readonly actor: string;
  /** Unix milliseconds after which the registry must no longer begin. */
  readonly notAfter: number;
}

export type RemoveAnswer =
  | { readonly outcome: 'removed'; readonly entities: number }
  | { readonly outcome: 'already-gone' }
  | { readonly outcome: 'changed'; readonly reason: string }
  | { readonly outcome: 'present'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** Another name for one registration, conditional on what was judged. */
export interface RepointRequest {
  readonly catalog: string;
  readonly id: string;
  readonly kind: EntityKind;
  readonly path: Path;
  /** Where its object lives now; refused where something is registered there, or its container is not. */
  readonly to: Path;
  /** Our ledger's intent, for the registry's own log. */
  readonly intentId: string;
  readonly expectedVersion: string;
  /** Who is shown in the registry's events. */
  readonly actor: string;
  /** Unix milliseconds after which the registry must no longer begin. */
  readonly notAfter: number;
}

export type RepointAnswer =
  /** `entities` moved, itself and what is registered inside it; ids and attachments are kept. */
  | { readonly outcome: 'repointed'; readonly entities: number }
  /** It has that name already. */
  | { readonly outcome: 'already' }
  | { readonly outcome: 'already-gone' }
  | { readonly outcome: 'changed'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** One registration that comes back, as it was saved when it went. */
export interface RestoredEntity {
  readonly id: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly attachments: Attachments | 'unseen';
}

/** The undoing of one removal, with everything that went with it. */
export interface RestoreRequest {
  readonly catalog: string;
  readonly restoreId: string;
  /** The intent of the removal. What went in another way since is not brought back by this. */
  readonly intentId: string;
  readonly entities: readonly RestoredEntity[];
  /** Who is shown in the registry's events. */
  readonly actor: string;
}

export type RestoreAnswer =
  /** All of them are registered, with what could be given back; the rest is in `warnings`, item by item. */
  | { readonly outcome: 'restored'; readonly entities: number; readonly warnings: readonly RestoreWarning[] }
  /** Nothing was changed: a name is taken, a container is missing, or the registry cannot. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/**
 * A metadata catalog server that keeps registrations. Failures are thrown as `ReconcilerFailure` of one of the
 * `Registry…` types; an answer about one registration is a value. Removals go through the registry's own removal path
 * and nothing here ever drops an object at its source.
 */
export interface Registry {
  readonly kind: 'embedded' | 'gravitino' | 'unity';
  readonly capabilities: RegistryCapabilities;

  catalogs(signal: AbortSignal): Promise<readonly RegistryCatalog[]>;

  /** `undefined` only where the registry says that there is no such catalog. */
  catalog(name: string, signal: AbortSignal): Promise<RegistryCatalog | undefined>;

  /** How many registrations the catalog has; compared with what the pages held. */
  count(catalog: string, signal: AbortSignal): Promise<number>;

  /** Registrations of every kind in a total order over the full path, containers before their contents. */
  registrations(
    catalog: string,
    page: { readonly after?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<RegistrationPage>;

  /** One registration as it is now; `undefined` where it is no longer registered. */
  registration(catalog: string, id: string, signal: AbortSignal): Promise<Registration | undefined>;

  /** Everything registered inside a container, at any depth. */
  inside(catalog: string, container: Path, signal: AbortSignal): Promise<readonly Registration[]>;

  /** Attachments by id, for up to 1,000 ids; `unseen` where they cannot be read, no entry where the id is gone. */
  attachments(
    catalog: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Attachments | 'unseen'>>;

  /** How many registrations were dropped on purpose since then; explains a smaller snapshot. */
  dropsSince(catalog: string, sinceMs: number, signal: AbortSignal): Promise<number>;

  /** Takes one registration (and what is inside it) out, or says why not. Ignores cancellation once begun. */
  remove(request: RemoveRequest): Promise<RemoveAnswer>;

  /**
   * Gives one registration the name under which its object lives now, or says why not. The source is never touched.
   * Ignores cancellation once begun; refuses everything where `capabilities.repoint` is false.
   */
  repoint(request: RepointRequest): Promise<RepointAnswer>;

  /**
   * Registers again what a removal took out, under the same ids, each with a version that it never had before: all of
   * them or none. What is registered under its id already counts as restored, so that a repeated request is answered
   * like the first. Refuses everything where `capabilities.restore` is false.
   */
  restore(request: RestoreRequest): Promise<RestoreAnswer>;

  /** What became of a removal's intent: `removed` where a tombstone carries it. */
  outcomeOf(catalog: string, intentId: string, signal: AbortSignal): Promise<'removed' | 'no-trace'>;

  close(): Promise<void>;
}

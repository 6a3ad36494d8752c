import type { Arbitration, CommitLog, CommitLogChange, CommitRequest } from './commits/commit-log.ts';
import type {
  Access,
  ResolvedTable,
  SchemaRef,
  StagingPlace,
  StagingReservation,
  TableColumn,
  TableRef,
  TableType,
  TrackedCommit,
  Uniform,
  VendedCredential,
} from './table.ts';

/** What a caller wants, as the one question that is asked about it. */
export type DeltaAction =
  | { readonly kind: 'GetConfig'; readonly catalog: string }
  | { readonly kind: 'CreateStaging'; readonly at: SchemaRef; readonly name: string }
  | { readonly kind: 'CreateTable'; readonly at: SchemaRef; readonly name: string; readonly tableType: TableType }
  /** Asked after `CreateTable`, once the reservation is known. */
  | { readonly kind: 'AdoptStaging'; readonly reservation: StagingReservation }
  | { readonly kind: 'ReadTable'; readonly table: TableRef }
  | { readonly kind: 'WriteTable'; readonly table: TableRef }
  | { readonly kind: 'DeleteTable'; readonly table: TableRef }
  | { readonly kind: 'RenameTable'; readonly from: TableRef; readonly to: string }
  | { readonly kind: 'VendTableCredential'; readonly table: TableRef; readonly access: Access }
  /** `reservation`: the path is one that was reserved, and the question is about the reservation. */
  | {
      readonly kind: 'VendPathCredential';
      readonly location: string;
      readonly access: Access;
      readonly reservation?: StagingReservation;
    };

export interface BackendCapabilities {
  /** Tables can be given another name. */
  readonly rename: boolean;
  /** Callers are told apart, and `authorize` may refuse. */
  readonly authorization: boolean;
}

/** A table to register. The handler has derived and checked everything in it. */
export interface CreateTableSpec {
  readonly at: SchemaRef;
  readonly name: string;
  /** Normalised. */
  readonly location: string;
  readonly tableType: TableType;
  readonly format: 'DELTA';
  readonly columns: readonly TableColumn[];
  readonly properties: ReadonlyMap<string, string>;
  readonly comment?: string;
  readonly uniform?: Uniform;
  /** The reservation to consume; its id and location become the table's. `null`: the backend assigns an id. */
  readonly adoptStaging: StagingReservation | null;
  /**
   * Refuse with `LocationTaken` if the location is at, above or below that of a table, of a reservation (finalised or not),
   * or of managed storage: the folder below a managed root in which reservations are allocated.
   */
  readonly exclusiveLocation: boolean;
}

/** The state of a table after a change: what is given replaces what is there. */
export interface UpdateTableSpec {
  readonly tableId: string;
  readonly columns: readonly TableColumn[];
  readonly properties: ReadonlyMap<string, string>;
  /** Absent: unchanged. `''` is a comment. */
  readonly comment?: string;
  /** Absent: unchanged. `null`: removed. */
  readonly uniform?: Uniform | null;
  /** Move `metadataVersion` by one and set `updatedAtMs` to now; both stay otherwise. */
  readonly metadataChanged: boolean;
  /** Compared when the row is written; a row of another version is left alone, `UpdateRequirementConflict`. */
  readonly expectedMetadataVersion: bigint;
}

/** What must still hold when a table is deleted; compared in the statement that deletes. */
export interface DeletePrecondition {
  readonly expectedTableId?: string;
  readonly expectedMetadataVersion?: bigint;
}

/** A table and its log, read in one snapshot. */
export interface TableSnapshot {
  readonly table: ResolvedTable;
  /** Ascending. Empty for a table without tracked commits. */
  readonly tracked: readonly TrackedCommit[];
}

/**
 * One table while no other writer can change it. Everything done through it takes effect together when the work ends
 * well, and not at all when the work throws.
 */
export interface TableUnitOfWork {
  /** The table as it was when this unit had it for itself. */
  readonly table: ResolvedTable;
  /** The table's log, read and changed inside the unit. */
  readonly log: CommitLog;
  /** Writes the row and answers it as it is then. `UpdateRequirementConflict` if the expected version is not the row's. */
  updateTableRow(spec: UpdateTableSpec): Promise<ResolvedTable>;
}

/** Whoever orders the commits of a table. */
export interface CommitCoordinator {
  /** Who gets the version that the request wants, by what the log holds now. Changes nothing. */
  decide(unit: TableUnitOfWork, request: CommitRequest): Promise<Arbitration>;
  /** Writes an accepted decision, inside the unit. `false`, and nothing changed, if the version has an owner by now. */
  apply(unit: TableUnitOfWork, change: CommitLogChange): Promise<boolean>;
  /** The tracked commits, ascending. */
  tracked(unit: TableUnitOfWork): Promise<readonly TrackedCommit[]>;
}

/**
 * What the Delta API needs from a store. A backend knows catalogs, schemas, rows, locations and credentials; it knows no
 * rule of Delta. Everything that it is given was checked and derived by the handler, and it gives back what it was given.
 *
 * Data methods ask nobody for permission: the handler has asked `authorize` before. They throw `DeltaError` with the
 * failures named beside them; anything else counts as `Internal`. Names are compared letter by letter, locations as they
 * are given: they are normalised already. Where a table is named, a missing level throws `NoSuchCatalog`, `NoSuchSchema`
 * or `NoSuchTable`, whichever is missing first, with the name in the message. `Cx` is whatever the backend needs to know
 * about a request, such as its principal; the handler only passes it on.
 */
export interface DeltaBackend<Cx> {
  capabilities(): BackendCapabilities;

  /**
   * The one question before every operation. Refuses with `Unauthenticated` or `PermissionDenied`; an action that it does
   * not know is refused. Where callers are told apart, a named object that does not exist is `NoSuchCatalog`,
   * `NoSuchSchema` or `NoSuchTable` here already, before any refusal. Where they are not, it answers without looking.
   */
  authorize(action: DeltaAction, cx: Cx): Promise<void>;

  /** `NoSuchCatalog` unless there is one of that name. */
  catalogExists(catalog: string, cx: Cx): Promise<void>;

  /** Row and log in one consistent read: no state is answered that never was. */
  loadSnapshot(table: TableRef, cx: Cx): Promise<TableSnapshot>;

  /** The row, whatever its format and type. Views and other kinds that share the tables' names are answered as well. */
  resolveTable(table: TableRef, cx: Cx): Promise<ResolvedTable>;

  /**
   * Registers a table: all of it or nothing. Looked at in this order, in one transaction: `NoSuchCatalog`,
   * `NoSuchSchema`; the name is taken, `AlreadyExists` (a constraint of the store, so that one of many parallel creates
   * wins and the rest get this); `LocationTaken` if exclusive; the reservation is finalised already, `InvalidArgument`, or
   * gone, `NoSuchTable`. The caller becomes owner, `metadataVersion` starts, both times are now. Adoption and creation
   * are one: whatever fails leaves the reservation as it was.
   */
  createTableRow(spec: CreateTableSpec, cx: Cx): Promise<ResolvedTable>;

  /**
   * Takes the registration out, and with it columns, properties and the commit log, in one transaction. The data of a
   * MANAGED table is queued for removal in the same transaction; that of an EXTERNAL one stays. With a precondition that
   * no longer holds nothing is deleted: `UpdateRequirementConflict`, or `NoSuchTable` if the table is gone. A finalised
   * reservation stays finalised.
   */
  deleteTable(table: TableRef, precondition: DeletePrecondition, cx: Cx): Promise<void>;

  /**
   * Changes the name and nothing else: id, location, log and everything attached stay; `metadataVersion` moves by one.
   * A missing source is told before a taken target, `AlreadyExists`. `NotImplemented` without the capability.
   */
  renameTable(from: TableRef, to: string, cx: Cx): Promise<void>;

  /**
   * Chooses an id and a location below the managed root of the schema, else of the catalog, else of the server. Keeps
   * nothing: it is `recordStaging` that reserves. `NoSuchCatalog`, `NoSuchSchema`; `InvalidArgument` without any root.
   */
  allocateStaging(at: SchemaRef, name: string, cx: Cx): Promise<StagingPlace>;

  /**
   * Keeps the reservation, not finalised, with the caller as its creator. Names are not reserved: any number of
   * reservations may carry one name. `NoSuchCatalog`, `NoSuchSchema`.
   */
  recordStaging(at: SchemaRef, name: string, place: StagingPlace, cx: Cx): Promise<StagingReservation>;

  /** Finalised ones are found too. `NoSuchTable` where nothing was ever reserved. */
  resolveStagingByLocation(location: string, cx: Cx): Promise<StagingReservation>;

  /** As by location; an ordinary table's id that was not a reservation's is `NoSuchTable`. */
  resolveStagingById(tableId: string, cx: Cx): Promise<StagingReservation>;

  /** A credential for the table's location and nothing outside it. */
  vendTableCredential(table: ResolvedTable, access: Access, cx: Cx): Promise<VendedCredential>;

  /** A credential for the path and what is below it. `InvalidArgument` where no storage is configured for it. */
  vendPathCredential(location: string, access: Access, cx: Cx): Promise<VendedCredential>;

  /**
   * Runs `work` with one table to itself. Writers of one table wait for each other; other tables are not held up. The
   * row is read after the wait. What `work` did is committed when it resolves and undone when it rejects, and its
   * rejection is thrown on; it uses the unit and `readCommitFile`, and nothing else of the backend. `TableBusy` after
   * waiting as long as the backend allows, with nothing changed; `CommitStateUnknown` if the transaction's end itself
   * failed, so that nobody can tell.
   */
  withTableUnitOfWork<T>(table: TableRef, cx: Cx, work: (unit: TableUnitOfWork) => Promise<T>): Promise<T>;

  /** Only where commits are ordered by somebody else; the handler arbitrates over the unit's log otherwise. */
  commitCoordinator?(): CommitCoordinator;

  /**
   * The bytes of a file of the table's log; enables the comparison of a resent commit whose row is gone. Throws where it
   * cannot be read.
   */
  readCommitFile?(location: string, relativePath: string, cx: Cx): AsyncIterable<Uint8Array>;
}

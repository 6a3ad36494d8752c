import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type {
  CreateTableSpec,
  DeletePrecondition,
  DeltaAction,
  DeltaBackend,
  TableSnapshot,
  TableUnitOfWork,
} from '../../../src/delta/backend.ts';
import { DeltaError, LocationTaken } from '../../../src/delta/delta-error.ts';
import { overlaps } from '../../../src/delta/rules/location.ts';
import type {
  ResolvedTable,
  SchemaRef,
  StagingPlace,
  StagingReservation,
  TableRef,
  VendedCredential,
} from '../../../src/delta/table.ts';
import { authorizeInMemory } from './memory-authorize.ts';
import { MemoryStore, managedFolder } from './memory-store.ts';
import { MemoryUnit } from './memory-unit.ts';
import { turn } from './turn.ts';

export interface MemoryOptions {
  readonly authorization?: boolean;
  readonly rename?: boolean;
}

/** Who asks, in the API's terms. */
export interface Caller {
  readonly actor: string;
}

/** The port over maps: it shows that the port is enough, and knows no more of Delta than the port says. */
export class MemoryDeltaBackend implements DeltaBackend<Caller> {
  readonly store = new MemoryStore();
  private readonly options: MemoryOptions;
  private clock = BigInt(Date.now());

  constructor(options: MemoryOptions = {}) {
    this.options = options;
  }

  capabilities() {
    return { rename: this.options.rename ?? true, authorization: this.options.authorization ?? false };
  }

  async authorize(action: DeltaAction, { actor }: Caller): Promise<void> {
    if (this.options.authorization === true) authorizeInMemory(this.store, action, actor);
  }

  async catalogExists(catalog: string): Promise<void> {
    this.store.catalog(catalog);
  }

  async loadSnapshot(ref: TableRef): Promise<TableSnapshot> {
    const { row, log } = this.store.table(ref);
    return turn({ table: row, tracked: log });
  }

  async resolveTable(ref: TableRef): Promise<ResolvedTable> {
    return turn(this.store.table(ref).row);
  }

  async createTableRow(spec: CreateTableSpec, { actor: owner }: Caller): Promise<ResolvedTable> {
    await turn(undefined);
    const { at, name, location, adoptStaging, exclusiveLocation } = spec;
    const { tables } = this.store.schema(at);
    if (tables.has(name)) throw new DeltaError('AlreadyExists', `Table already exists: ${name}`);
    if (exclusiveLocation) this.requireFree(location);
    if (adoptStaging !== null) this.finalise(adoptStaging);
    const now = this.now();
    const { columns, comment, format, properties, tableType, uniform } = spec;
    const row: ResolvedTable = {
      tableId: adoptStaging?.tableId ?? randomUUID(),
      name,
      location,
      tableType,
      format,
      columns,
      properties: new Map(properties),
      ...(comment === undefined ? {} : { comment }),
      ...(uniform === undefined ? {} : { uniform }),
      createdAtMs: now,
      updatedAtMs: now,
      metadataVersion: 1n,
    };
    tables.set(name, { row, log: [], files: new Map(), owner });
    return row;
  }

  async deleteTable(ref: TableRef, precondition: DeletePrecondition): Promise<void> {
    await this.alone(ref, async () => {
      const { row } = this.store.table(ref);
      const { expectedTableId = row.tableId, expectedMetadataVersion = row.metadataVersion } = precondition;
      if (row.tableId !== expectedTableId || row.metadataVersion !== expectedMetadataVersion) {
        throw new DeltaError('UpdateRequirementConflict', `Table was changed meanwhile: ${ref.table}`);
      }
      this.store.schema(ref).tables.delete(ref.table);
    });
  }

  async renameTable(from: TableRef, to: string): Promise<void> {
    await this.alone(from, async () => {
      const table = this.store.table(from);
      const { tables } = this.store.schema(from);
      if (tables.has(to)) throw new DeltaError('AlreadyExists', `Table already exists: ${to}`);
      const metadataVersion = table.row.metadataVersion + 1n;
      table.row = { ...table.row, name: to, metadataVersion, updatedAtMs: this.now() };
      tables.delete(from.table);
      tables.set(to, table);
    });
  }

  async allocateStaging(at: SchemaRef): Promise<StagingPlace> {
    const { root } = this.store.schema(at);
    if (root === undefined)
      throw new DeltaError('InvalidArgument', `No managed storage for ${at.catalog}.${at.schema}`);
    const tableId = randomUUID();
    return turn({ tableId, location: `${managedFolder(root)}/tables/${tableId}` });
  }

  async recordStaging(at: SchemaRef, name: string, place: StagingPlace, cx: Caller): Promise<StagingReservation> {
    this.store.schema(at);
    const createdBy = this.options.authorization === true ? cx.actor : null;
    const reservation = { ...place, name, createdBy, finalised: false };
    this.store.stagings.set(place.tableId, reservation);
    return turn(reservation);
  }

  async resolveStagingByLocation(location: string): Promise<StagingReservation> {
    return turn(known([...this.store.stagings.values()].find((staging) => staging.location === location)));
  }

  async resolveStagingById(tableId: string): Promise<StagingReservation> {
    return turn(known(this.store.stagings.get(tableId)));
  }

  async vendTableCredential({ location }: ResolvedTable): Promise<VendedCredential> {
    return this.vendPathCredential(location);
  }

  async vendPathCredential(location: string): Promise<VendedCredential> {
    if (location.startsWith('file:')) return { credential: { kind: 'none' } };
    if (!location.startsWith('s3://test-bucket0'))
      throw new DeltaError('InvalidArgument', `No storage for ${location}`);
    const keys = { accessKeyId: 'accessKey0', secretAccessKey: 'secretKey0', sessionToken: 'sessionToken0' };
    return { credential: { kind: 's3', ...keys } };
  }

  async withTableUnitOfWork<T>(ref: TableRef, _cx: Caller, work: (unit: TableUnitOfWork) => Promise<T>): Promise<T> {
    return this.alone(ref, async () => {
      const table = this.store.table(ref);
      const unit = new MemoryUnit(table, () => this.now());
      const result = await work(unit);
      unit.keepIn(table);
      return result;
    });
  }

  readCommitFile(location: string, relativePath: string): AsyncIterable<Uint8Array> {
    return createReadStream(`${location.slice('file://'.length)}/${relativePath}`);
  }

  /** Later each time, so that a time tells whether something was written. */
  private now(): bigint {
    const now = BigInt(Date.now());
    this.clock = now > this.clock ? now : this.clock + 1n;
    return this.clock;
  }

  private alone<T>(ref: TableRef, work: () => Promise<T>): Promise<T> {
    return this.store.alone(JSON.stringify([ref.catalog, ref.schema, ref.table]), () => turn(undefined).then(work));
  }

  private requireFree(location: string): void {
    for (const [occupant, place] of this.store.places()) {
      if (overlaps(location, place)) throw new LocationTaken(occupant, location);
    }
  }

  private finalise({ tableId }: StagingReservation): void {
    const staging = known(this.store.stagings.get(tableId));
    if (staging.finalised) throw new DeltaError('InvalidArgument', `Staging table is finalised already: ${tableId}`);
    this.store.stagings.set(tableId, { ...staging, finalised: true });
  }
}

function known(staging: StagingReservation | undefined): StagingReservation {
  if (staging === undefined) throw new DeltaError('NoSuchTable', 'Nothing is reserved there');
  return staging;
}

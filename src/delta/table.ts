export interface SchemaRef {
  readonly catalog: string;
  readonly schema: string;
}

export interface TableRef extends SchemaRef {
  readonly table: string;
}

export type TableType = 'MANAGED' | 'EXTERNAL';

export type Access = 'READ' | 'READ_WRITE';

/** A column as it is stored. The handler derives and reads all of it; a backend keeps it and may show it. */
export interface TableColumn {
  readonly name: string;
  /** From 0, without gaps. */
  readonly position: number;
  readonly nullable: boolean;
  /** `LONG`, `STRUCT` … */
  readonly typeName: string;
  /** `bigint`, `struct<a:int>` … */
  readonly typeText: string;
  /** The whole field as JSON, nested types and metadata included; the only thing that fields are rebuilt from. */
  readonly typeJson: string;
  readonly comment?: string;
  /** Its place among the partition columns, from 0; absent where it is none. */
  readonly partitionIndex?: number;
}

/** The Iceberg metadata that goes with a Delta version. */
export interface Uniform {
  readonly metadataLocation: string;
  readonly convertedDeltaVersion: bigint;
  /** Unix milliseconds. */
  readonly convertedDeltaTimestamp: bigint;
  readonly baseConvertedDeltaVersion?: bigint;
}

/** A table as the backend keeps it. */
export interface ResolvedTable {
  /** `null` where the backend has none that a client could name. */
  readonly tableId: string | null;
  readonly name: string;
  readonly location: string;
  /** `null` for what is registered under the name but is neither kind of table, such as a view. */
  readonly tableType: TableType | null;
  /** `DELTA`, or whatever else the table was registered as; letter case does not count. `null` where unknown. */
  readonly format: string | null;
  /** In the order of their positions. */
  readonly columns: readonly TableColumn[];
  readonly properties: ReadonlyMap<string, string>;
  readonly comment?: string;
  readonly uniform?: Uniform;
  /** Unix milliseconds. */
  readonly createdAtMs: bigint;
  readonly updatedAtMs: bigint;
  /**
   * Counts the changes of metadata of this table, and nothing else: it moves by one with each `updateTableRow` that says
   * so and with each rename. A registration's own version may move more often.
   */
  readonly metadataVersion: bigint;
}

/** One version of a managed table's log, as its writer told it. Times are Unix milliseconds. */
export interface Commit {
  readonly version: bigint;
  readonly timestamp: bigint;
  readonly fileName: string;
  readonly fileSize: bigint;
  readonly fileModificationTimestamp: bigint;
}

/** A commit that the log still tracks. */
export interface TrackedCommit extends Commit {
  /** Published in the table's own log already; kept only as the marker of the highest version. */
  readonly backfilled: boolean;
}

/** Id and place that a managed table will have. */
export interface StagingPlace {
  readonly tableId: string;
  readonly location: string;
}

/** A place that was promised to whoever creates a managed table there. */
export interface StagingReservation extends StagingPlace {
  readonly name: string;
  /** The principal that reserved it; `null` where callers are not told apart. */
  readonly createdBy: string | null;
  /** A table was created on it. Never undone, not even by that table's deletion. */
  readonly finalised: boolean;
}

export type StorageCredential =
  /** Nothing is needed beyond access to the file system. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 's3';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly sessionToken?: string;
    }
  | { readonly kind: 'azure'; readonly sasToken: string }
  | { readonly kind: 'gcs'; readonly oauthToken: string };

export interface VendedCredential {
  readonly credential: StorageCredential;
  /** Unix milliseconds; absent where it does not expire. */
  readonly expiresAtMs?: bigint;
}

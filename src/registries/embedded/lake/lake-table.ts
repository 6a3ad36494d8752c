import type { TableColumn, TableType } from '../../../delta/table.ts';

/** 64-bit numbers as text: JSON has none. */
export interface StoredUniform {
  readonly metadataLocation: string;
  readonly convertedDeltaVersion: string;
  readonly convertedDeltaTimestamp: string;
  readonly baseConvertedDeltaVersion?: string;
}

/** A row of `lake_tables` in the grave of its table. */
export interface BuriedLakeTable {
  readonly location: string;
  readonly tableType: TableType;
  readonly format: string;
  readonly columns: readonly TableColumn[];
  readonly uniform: StoredUniform | null;
  readonly metadataVersion: string;
}

import { DeltaError } from '../delta-error.ts';
import type { ResolvedTable, TableType } from '../table.ts';

/** A Delta table with all that the API says of one. */
export interface ServableTable extends ResolvedTable {
  readonly tableId: string;
  readonly tableType: TableType;
}

export function servable(table: ResolvedTable): ServableTable {
  const { tableId, tableType, format } = table;
  if (tableId === null || tableType === null || format?.toUpperCase() !== 'DELTA') {
    throw new DeltaError('UnsupportedTableFormat', `Table is not a Delta table: ${table.name}`);
  }
  return { ...table, tableId, tableType };
}

import { DeltaError } from '../delta-error.ts';
import type { TableRef } from '../table.ts';
import type { Operation } from './context.ts';

/** Takes a table out, whatever its format. What is no table at all is not this API's to drop. */
export async function deleteTable<Cx>({ backend }: Operation<Cx>, ref: TableRef, cx: Cx): Promise<void> {
  await backend.authorize({ kind: 'DeleteTable', table: ref }, cx);
  const { tableId, tableType, name } = await backend.resolveTable(ref, cx);
  if (tableType === null) throw new DeltaError('UnsupportedTableFormat', `Not a table: ${name}`);
  await backend.deleteTable(ref, tableId === null ? {} : { expectedTableId: tableId }, cx);
}

import type { DeltaBackend } from '../backend.ts';
import { DeltaError } from '../delta-error.ts';
import type { TableRef } from '../table.ts';

/** Catalog and schema are there, and the name is not. What holds in the end is decided when the row is written. */
export async function requireFreeName<Cx>(backend: DeltaBackend<Cx>, ref: TableRef, cx: Cx): Promise<void> {
  try {
    await backend.resolveTable(ref, cx);
  } catch (error) {
    if (error instanceof DeltaError && error.failure === 'NoSuchTable') return;
    throw error;
  }
  throw new DeltaError('AlreadyExists', `Table already exists: ${ref.catalog}.${ref.schema}.${ref.table}`);
}

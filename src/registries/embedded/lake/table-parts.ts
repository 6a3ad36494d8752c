import { eq } from 'drizzle-orm';
import type { CreateTableSpec, DeletePrecondition } from '../../../delta/backend.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { Within } from '../chain/dispatcher.ts';
import { requireFreeLocation } from './free-location.ts';
import { storedUniform } from './lake-rows.ts';
import { lakeTables } from './lake-schema.ts';
import { finaliseReservation } from './reservations.ts';

/** Bytes of a location: what an index row holds, and more than any store allows. */
const longestLocation = 2_000;

/** What of a table to register is not of its registration. */
export type NewTableRow = Pick<
  CreateTableSpec,
  'location' | 'tableType' | 'columns' | 'uniform' | 'adoptStaging' | 'exclusiveLocation'
> & { readonly format: string };

/** What registering a table of the lake takes beyond a registration, in the registration's own transaction. */
export function tableCreation(
  { now, storageRoot }: { readonly now: () => number; readonly storageRoot?: string },
  spec: NewTableRow,
): Within {
  return async (tx, affected) => {
    const { location, tableType, format, columns, uniform, adoptStaging } = spec;
    if (Buffer.byteLength(location) > longestLocation) {
      throw new DeltaError('InvalidArgument', `A location has at most ${longestLocation} bytes.`);
    }
    for (const { id: entityId } of affected) {
      if (spec.exclusiveLocation) await requireFreeLocation(tx, location, entityId, storageRoot);
      if (adoptStaging !== null) await finaliseReservation(tx, adoptStaging.tableId, now());
      await tx.insert(lakeTables).values({
        entityId,
        location,
        tableType,
        format,
        columns,
        uniform: uniform === undefined ? null : storedUniform(uniform),
        metadataVersion: 1n,
        metadataAt: now(),
      });
    }
  };
}

/** Compared under the catalog's lock, in the transaction that deletes: what holds here holds when the rows go. */
export function tableDeletion({ expectedTableId, expectedMetadataVersion }: DeletePrecondition): Within {
  return async (tx, [table]) => {
    if (table === undefined) return;
    if (expectedTableId !== undefined && table.id !== expectedTableId) {
      throw new DeltaError('UpdateRequirementConflict', `The table is not ${expectedTableId} any more.`);
    }
    if (expectedMetadataVersion === undefined) return;
    const [row] = await tx
      .select({ version: lakeTables.metadataVersion })
      .from(lakeTables)
      .where(eq(lakeTables.entityId, table.id));
    if (row?.version !== expectedMetadataVersion) {
      throw new DeltaError('UpdateRequirementConflict', 'The metadata of the table was changed meanwhile.');
    }
  };
}

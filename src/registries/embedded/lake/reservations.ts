import { and, eq, isNull } from 'drizzle-orm';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { StagingPlace, StagingReservation } from '../../../delta/table.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { lakeReservations } from './lake-schema.ts';

/** A reservation to be kept. */
export interface NewReservation {
  readonly metalake: string;
  readonly catalogId: string;
  readonly schemaId: string;
  readonly name: string;
  readonly place: StagingPlace;
  readonly createdBy: string | null;
  readonly at: number;
}

export async function keepReservation(
  db: EmbeddedDatabase,
  { place, at, ...wanted }: NewReservation,
): Promise<StagingReservation> {
  const { name, createdBy } = wanted;
  await db.insert(lakeReservations).values({ ...wanted, id: place.tableId, location: place.location, createdAt: at });
  return { ...place, name, createdBy, finalised: false };
}

/** By id or by location; finalised ones too. */
export async function findReservation(
  db: EmbeddedDatabase,
  metalake: string,
  wanted: { readonly id: string } | { readonly location: string },
): Promise<StagingReservation> {
  const asked = 'id' in wanted ? eq(lakeReservations.id, wanted.id) : eq(lakeReservations.location, wanted.location);
  const [row] = await db
    .select()
    .from(lakeReservations)
    .where(and(eq(lakeReservations.metalake, metalake), asked));
  if (row === undefined) {
    const what = 'id' in wanted ? `with id ${wanted.id}` : `at ${wanted.location}`;
    throw new DeltaError('NoSuchTable', `Staging table not found: nothing is reserved ${what}.`);
  }
  return {
    tableId: row.id,
    location: row.location,
    name: row.name,
    createdBy: row.createdBy,
    finalised: row.finalisedAt !== null,
  };
}

/** Consumes the reservation in the transaction of the table's creation: undone with it, and never undone after it. */
export async function finaliseReservation(tx: EmbeddedDatabase, tableId: string, at: number): Promise<void> {
  const consumed = await tx
    .update(lakeReservations)
    .set({ finalisedAt: at })
    .where(and(eq(lakeReservations.id, tableId), isNull(lakeReservations.finalisedAt)))
    .returning({ id: lakeReservations.id });
  if (consumed.length === 1) return;
  const [row] = await tx
    .select({ id: lakeReservations.id })
    .from(lakeReservations)
    .where(eq(lakeReservations.id, tableId));
  if (row === undefined) throw new DeltaError('NoSuchTable', `Staging table not found: ${tableId}.`);
  throw new DeltaError('InvalidArgument', `Staging table ${tableId} is finalised already: a table was created on it.`);
}

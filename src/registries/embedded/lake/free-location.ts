import { type SQL, and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { LocationTaken } from '../../../delta/delta-error.ts';
import { overlaps } from '../../../delta/rules/location.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { catalogs, entities } from '../schema.ts';
import { lakeReservations, lakeTables } from './lake-schema.ts';

/** One number for all locations: whether a place is free is asked across catalogs. */
const locationsLock = 723_308_016;

/**
 * Throws `LocationTaken` where something is at, above or below the location, in any catalog. Until the transaction ends
 * nobody else is told that a place is free.
 *
 * @param self the table that is being registered there, which does not count
 * @param serverRoot where managed tables lie by default
 */
export async function requireFreeLocation(
  tx: EmbeddedDatabase,
  location: string,
  self: string,
  serverRoot: string | undefined,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${locationsLock})`);
  if (serverRoot !== undefined && overlaps(location, serverRoot)) throw new LocationTaken('managed-storage', location);
  const around = (column: AnyPgColumn) => overlapping(column, location);
  const [root] = await tx
    .select({ id: catalogs.id })
    .from(catalogs)
    .where(and(isNotNull(catalogs.storageRoot), around(catalogs.storageRoot)))
    .limit(1);
  const [schema] = await tx
    .select({ id: entities.id })
    .from(entities)
    .where(and(eq(entities.kind, 'schema'), isNotNull(entities.storageLocation), around(entities.storageLocation)))
    .limit(1);
  if (root !== undefined || schema !== undefined) throw new LocationTaken('managed-storage', location);
  const [table] = await tx
    .select({ id: lakeTables.entityId })
    .from(lakeTables)
    .where(and(ne(lakeTables.entityId, self), around(lakeTables.location)))
    .limit(1);
  if (table !== undefined) throw new LocationTaken('table', location);
  const [reservation] = await tx
    .select({ id: lakeReservations.id })
    .from(lakeReservations)
    .where(and(isNull(lakeReservations.finalisedAt), around(lakeReservations.location)))
    .limit(1);
  if (reservation !== undefined) throw new LocationTaken('staging', location);
}

/** At it, above it or below it; by code point `0` is what comes right after `/`. */
function overlapping(column: AnyPgColumn, location: string): SQL | undefined {
  const spelled = sql`(${column} collate "C")`;
  return or(
    inArray(spelled, [location, ...above(location)]),
    and(gt(spelled, sql`${`${location}/`}`), lt(spelled, sql`${`${location}0`}`)),
  );
}

/** Every place that contains it, down to the store itself. */
function above(location: string): readonly string[] {
  const start = location.indexOf('://') + 3;
  const parts = location.slice(start).split('/');
  return parts.slice(1).map((_, depth) => location.slice(0, start) + parts.slice(0, depth + 1).join('/'));
}

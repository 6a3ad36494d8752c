import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A drizzle database over node-postgres or PGlite, or a transaction of one. Opened and closed by who constructs. */
export type EmbeddedDatabase = PgDatabase<PgQueryResultHKT, Record<string, unknown>>;

/** Rows a statement: PGlite runs in this process, where nothing else happens until a statement is done. */
export const rowsPerStatement = 5_000;

/**
 * One transaction. Inside it only its own handle may be used: on PGlite a query of the outer one would wait for ever.
 *
 * Always READ COMMITTED, whatever the database defaults to: a statement after the catalog's lock must see what was
 * committed while we waited for it, above all a child that was registered meanwhile.
 */
export async function inTransaction<T>(db: EmbeddedDatabase, work: (tx: EmbeddedDatabase) => Promise<T>): Promise<T> {
  return db.transaction((tx) => work(tx), { isolationLevel: 'read committed' });
}

/** Rows of a statement that no query builder can say. Both drivers answer with `rows`. */
export async function rowsOf<Row>(db: EmbeddedDatabase, statement: SQL): Promise<readonly Row[]> {
  const result = (await db.execute(statement)) as { readonly rows: readonly Row[] };
  return result.rows;
}

/** Any number of records as one parameter: both drivers send text alike, arrays they do not. */
export function asJson(records: readonly unknown[]): SQL {
  return sql`${JSON.stringify(records)}::text::jsonb`;
}

/** `column` is one of the ids. */
export function isOneOf(column: PgColumn | SQL, ids: readonly string[]): SQL {
  return sql`${column} in (select jsonb_array_elements_text(${asJson(ids)}))`;
}

/** Parts that fit a statement, in order. */
export function* inParts<T>(all: readonly T[], size: number = rowsPerStatement): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

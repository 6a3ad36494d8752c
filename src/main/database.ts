import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';

type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Where a database of ours lives: a folder of an embedded one, or a PostgreSQL server. */
export type DatabasePlace =
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string /** For messages: no secret. */; readonly shown: string };

export interface OpenDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

export interface Migrations {
  readonly folder: string;
  /** Keeps two sets of migrations in one database apart. */
  readonly table: string;
}

/** Says which database, and never with which password. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

/** Any constant will do, as long as nobody else in the database locks the same one. */
const migrationLock = 723_308_015;

const poolSize = 10; // four lanes read and write at once, beside what the API and the review ask

/** Opens a database and brings it up to date. Several processes may start at once: one migrates, the others wait. */
export async function openDatabase(place: DatabasePlace, migrations: Migrations): Promise<OpenDatabase> {
  return place.kind === 'embedded' ? openEmbedded(place.folder, migrations) : openPostgres(place, migrations);
}

async function openEmbedded(folder: string, { folder: migrationsFolder, table }: Migrations): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true });
  const client = await PGlite.create(folder);
  const db = drizzlePglite({ client });
  await migratePglite(db, { migrationsFolder, migrationsTable: table });
  return { db, close: () => client.close() };
}

async function openPostgres(
  place: Extract<DatabasePlace, { kind: 'postgres' }>,
  { folder: migrationsFolder, table }: Migrations,
): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: place.url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // Longer than any statement of ours takes; without it a dead connection would hold its caller for ever.
    query_timeout: 120_000,
    keepAlive: true,
    application_name: 'catalog-reconciler',
  });
  // A connection that the server ended, idle or in the middle of a transaction: whoever uses it gets an error of its own,
  // and the pool opens another one. Without somebody who listens, the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connection = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    const why = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnreachable(
      `The database ${place.shown} cannot be opened: ${why}. Check its address and that it runs.`,
    );
  });
  try {
    const db = drizzlePostgres({ client: connection });
    await db.execute(sql`select pg_catalog.pg_advisory_lock(${migrationLock})`);
    try {
      await migratePostgres(db, { migrationsFolder, migrationsTable: table });
    } finally {
      await db.execute(sql`select pg_catalog.pg_advisory_unlock(${migrationLock})`);
    }
    connection.release();
  } catch (error) {
    connection.release(true);
    await pool.end().catch(() => undefined);
    throw error;
  }
  return { db: overPool(pool), close: () => pool.end() };
}

/**
 * Drizzle over a pool, with transactions that give their connection back whatever happens. Its own do not when `begin`
 * fails, which a connection that died while it lay idle makes it do; ten of those, and the pool is empty for good.
 */
function overPool(pool: pg.Pool): Database {
  const db: Database = drizzlePostgres({ client: pool });
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let begun = false;
    try {
      return await drizzlePostgres({ client }).transaction((tx) => {
        begun = true;
        return work(tx);
      }, config);
    } finally {
      client.release(!begun);
    }
  };
  return db;
}

import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { type LedgerDatabase, migrationsFolder } from '../../src/ledger/database.ts';
import { createLedger } from '../../src/ledger/index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

export interface TestLedger {
  readonly ledger: Ledger;
  readonly db: LedgerDatabase;
  /** Empties every table, which is much faster than opening another database. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A ledger with its tables in place: in memory, or on the PostgreSQL at `url`. Open one for a file of tests and
 * `reset` it before each of them.
 */
export async function openTestLedger(url?: string): Promise<TestLedger> {
  const { db, close } = url === undefined ? await inMemory() : await onServer(url);
  return { ledger: createLedger(db), db, reset: () => emptyTables(db), close };
}

async function inMemory(): Promise<Pick<TestLedger, 'db' | 'close'>> {
  const client = await PGlite.create();
  const db = drizzlePglite({ client });
  await migratePglite(db, { migrationsFolder });
  return { db, close: () => client.close() };
}

async function onServer(url: string): Promise<Pick<TestLedger, 'db' | 'close'>> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {}); // an idle connection of a server that is being stopped
  const db = drizzlePg({ client: pool });
  await migratePg(db, { migrationsFolder });
  return { db, close: () => pool.end() };
}

async function emptyTables(db: LedgerDatabase): Promise<void> {
  await db.execute(sql`
    do $$ begin
      execute (
        select 'truncate ' || string_agg(format('public.%I', tablename), ', ') || ' restart identity'
        from pg_tables where schemaname = 'public'
      );
    end $$`);
}

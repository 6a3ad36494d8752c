import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { getTableName, is, sql } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import { PgTable } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { readPattern } from '../../src/config/patterns.ts';
import { type LedgerDatabase, migrationsFolder } from '../../src/ledger/database.ts';
import { createLedger } from '../../src/ledger/index.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import * as schema from '../../src/ledger/schema.ts';

export interface TestLedger {
  readonly ledger: Ledger;
  readonly db: LedgerDatabase;
  /** Empties every table, which is much faster than opening another database. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

let server: string | undefined;

/** From now on, whoever names no server gets a ledger on this one: for running the tests of the ledger once more. */
export function keepTestLedgersOn(url: string): void {
  server = url;
}

/**
 * A ledger with its tables in place: in memory, or on the PostgreSQL at `url`. Open one for a file of tests and
 * `reset` it before each of them.
 *
 * @param planned `once` on a server for the sake of speed: small tables need no plan of their own for each statement
 */
export async function openTestLedger(
  url: string | undefined = server,
  planned: 'each-time' | 'once' = 'each-time',
): Promise<TestLedger> {
  const { db, close } = url === undefined ? await inMemory() : await onServer(url, planned);
  return { ledger: createLedger(db, readPattern), db, reset: () => emptyTables(db), close };
}

async function inMemory(): Promise<Pick<TestLedger, 'db' | 'close'>> {
  const client = await PGlite.create({ loadDataDir: await migratedImage() });
  return { db: drizzlePglite({ client }), close: () => client.close() };
}

async function onServer(url: string, planned: 'each-time' | 'once'): Promise<Pick<TestLedger, 'db' | 'close'>> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {}); // an idle connection of a server that is being stopped
  if (planned === 'once') pool.on('connect', planOnce);
  const db = drizzlePg({ client: pool });
  await migratePg(db, { migrationsFolder });
  return { db, close: () => pool.end() };
}

/** Gives every statement a name by its text, so that the server parses and plans it once a connection. */
function planOnce(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (given: object, ...rest: unknown[]) => unknown;
  Object.assign(client, {
    query(given: string | { readonly text: string }, ...rest: unknown[]) {
      const config = typeof given === 'string' ? { text: given } : given;
      const plannable = /^\s*(select|with|insert|update|delete)\b/i.test(config.text);
      const name = createHash('sha256').update(config.text).digest('hex').slice(0, 24);
      return query(plannable ? { ...config, name } : config, ...rest);
    },
  });
}

/**
 * A new PGlite takes seconds of computing to initialise, its image a fraction of that. So the first test file of all
 * makes the image of a migrated database, and every later one starts from it.
 */
async function migratedImage(): Promise<Blob> {
  const file = join(tmpdir(), `catalog-reconciler-ledger-${imageDigest()}.tgz`);
  const known = await readFile(file).catch(() => undefined);
  if (known !== undefined) return new Blob([known]);
  const client = await PGlite.create();
  await migratePglite(drizzlePglite({ client }), { migrationsFolder });
  const image = await client.dumpDataDir('gzip');
  await client.close();
  // under a name of its own first: other test files read at the same time
  const fresh = `${file}.${randomUUID()}`;
  await writeFile(fresh, new Uint8Array(await image.arrayBuffer()));
  await rename(fresh, file);
  return image;
}

/** Of everything that the image depends on. */
function imageDigest(): string {
  const digest = createHash('sha256');
  const resolved = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  digest.update(readFileSync(join(resolved, '..', '..', 'package.json')));
  for (const entry of readdirSync(migrationsFolder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return digest.digest('hex').slice(0, 16);
}

async function emptyTables(db: LedgerDatabase): Promise<void> {
  const tables = Object.values<unknown>(schema).filter((value) => is(value, PgTable));
  const deletes = tables.map((table, index) => sql.raw(`t${index} as (delete from "${getTableName(table)}")`));
  await db.execute(sql`
    with ${sql.join(deletes, sql`, `)}
    select setval(pg_get_serial_sequence('audit', 'id'), 1, false),
      setval('audit_feed', 1, false),
      setval(pg_get_serial_sequence('transitions', 'id'), 1, false)`);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { type LedgerDatabase, rowsOf } from '../../ledger/database.ts';
import type { Migrations } from '../database.ts';

/** A transaction that may not write, of the ledger or of the embedded registry. */
export type ReadOnly = LedgerDatabase;

/** What a database of ours says about itself and about us. */
export interface DatabaseReport {
  readonly version: string;
  readonly database: string;
  readonly user: string;
  readonly superuser: boolean;
  /** A standby, or a database that lets nobody write. */
  readonly readOnly: boolean;
  readonly mayCreate: boolean;
  /** Of our tables and their indexes. */
  readonly bytes: number;
  /** Tables of ours that are there, and that we may not read, write and delete from. */
  readonly tables: number;
  readonly forbidden: readonly string[];
  readonly migrations: { readonly applied: number; readonly pending: number; readonly ahead: boolean };
}

/** The whole look is one transaction that may not write. */
export async function lookAtDatabase<T>(
  url: string,
  { migrations, tables }: { readonly migrations: Migrations; readonly tables: readonly PgTable[] },
  withinMs: number,
  more: (tx: ReadOnly, report: DatabaseReport) => Promise<T>,
): Promise<{ readonly report: DatabaseReport; readonly more: T }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: 'catalog-reconciler doctor',
  });
  // whoever uses a connection that broke gets an error of its own
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await drizzle({ client }).transaction(
      async (tx) => {
        const report = await reportOf(tx, migrations, tables.map(nameOf));
        return { report, more: await more(tx, report) };
      },
      { accessMode: 'read only' },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function reportOf(tx: ReadOnly, migrations: Migrations, names: readonly string[]): Promise<DatabaseReport> {
  const [about] = await rowsOf<{
    version: string;
    database: string;
    user: string;
    superuser: boolean;
    readonly: boolean;
    create: boolean;
  }>(
    tx,
    sql`select current_setting('server_version') as version, current_database() as database, current_user as user,
               coalesce((select rolsuper from pg_catalog.pg_roles where rolname = current_user), false) as superuser,
               pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as readonly,
               has_database_privilege(current_database(), 'CREATE') as create`,
  );
  if (about === undefined) throw new Error('the server does not say who it is');
  const found = await rowsOf<{ name: string; bytes: string; allowed: boolean }>(
    tx,
    sql`select n.name, pg_total_relation_size(c.oid)::text as bytes,
               has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
                 and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE') as allowed
          from json_array_elements_text(${JSON.stringify(names)}::json) as n(name)
          join pg_catalog.pg_class c on c.oid = to_regclass(n.name)`,
  );
  return {
    version: about.version,
    database: about.database,
    user: about.user,
    superuser: about.superuser,
    readOnly: about.readonly,
    mayCreate: about.create,
    bytes: found.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    tables: found.length,
    forbidden: found.filter(({ allowed }) => !allowed).map(({ name }) => name),
    migrations: await migrated(tx, migrations),
  };
}

async function migrated(tx: ReadOnly, { folder, table }: Migrations): Promise<DatabaseReport['migrations']> {
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly when: number }[];
  };
  const known = journal.entries.map(({ when }) => when);
  const [there] = await rowsOf<{ is: boolean }>(tx, sql`select to_regclass(${`drizzle.${table}`}) is not null as is`);
  if (there?.is !== true) return { applied: 0, pending: known.length, ahead: false };
  const applied = await rowsOf<{ at: string }>(
    tx,
    sql`select created_at::text as at from drizzle.${sql.identifier(table)} order by created_at`,
  );
  // as the migrator does it: what is older than the newest one that ran has run
  const newest = Number(applied.at(-1)?.at ?? 0);
  return {
    applied: applied.length,
    pending: known.filter((when) => when > newest).length,
    ahead: newest > Math.max(...known),
  };
}

function nameOf(table: PgTable): string {
  const { schema, name } = getTableConfig(table);
  return schema === undefined ? name : `${schema}.${name}`;
}

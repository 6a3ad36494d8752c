import type pg from 'pg';
import { parseDatabaseAddress } from '../../config/database-address.ts';
import { quoted, type SourcedCatalog } from './catalog-plan.ts';
import { type DemoConnection, withClient } from './demo-connection.ts';

/** What marks a database as the demo's own. Only in such a one does the demo drop schemas. */
const mark = 'Demo of catalog-reconciler: made, filled and changed by it';

/** `DEMO_SOURCE_URL` cannot hold the demo; the message says why and what helps. */
export class DemoServerRefused extends Error {
  override readonly name = 'DemoServerRefused';
}

/** A real PostgreSQL that somebody lends to the demo. */
export interface BorrowedServer {
  /** Host and port. */
  readonly place: string;
  /** The database of a catalog, made where it is missing. */
  databaseFor(catalog: SourcedCatalog): Promise<DemoConnection>;
}

/** @param url where databases may be created, with a database to connect to first */
export function borrowServer(url: string): BorrowedServer {
  const parts = parseDatabaseAddress(url);
  if ('problem' in parts) throw new DemoServerRefused(`The address for the demo's source ${parts.problem}.`);
  const { settings, password } = parts;
  const { host, user, database = 'postgres', port = '5432' } = settings;
  if (host === undefined || user === undefined) {
    throw new DemoServerRefused(
      "The address for the demo's source names no user. Write postgresql://user@host:5432/database.",
    );
  }
  const secrets = password === undefined ? {} : { password };
  const door: DemoConnection = { settings: { ...settings, host, user, database, port }, secrets };
  const place = `${host}:${port}`;
  return {
    place,
    async databaseFor(catalog) {
      const name = `reconciler_demo_${catalog}`;
      const connection = { ...door, settings: { ...door.settings, database: name } };
      const isOurs = await withClient(door, (client) => makeDatabase(client, name));
      // It may also be ours from a start that was killed before it could set the mark.
      if (!isOurs && !(await withClient(connection, isEmpty))) {
        throw new DemoServerRefused(
          `Database ${name} at ${place} holds something that this demo did not make. Rename it, or lend another server.`,
        );
      }
      await withClient(connection, (client) => client.query(`comment on database ${quoted([name])} is '${mark}'`));
      return connection;
    },
  };
}

/** Whether the database carries the mark. */
async function makeDatabase(client: pg.Client, name: string): Promise<boolean> {
  const marked =
    "select pg_catalog.shobj_description(oid, 'pg_database') as mark from pg_catalog.pg_database where datname = $1";
  const { rows } = await client.query<{ mark: string | null }>(marked, [name]);
  if (rows[0] === undefined) await client.query(`create database ${quoted([name])}`);
  return rows[0]?.mark === mark;
}

async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(`
    select exists (
      select from pg_catalog.pg_namespace n
       where n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'public')
    ) or exists (
      select from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace
    ) as made`);
  return rows[0]?.made === false;
}

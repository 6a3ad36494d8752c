import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '../../src/ledger/database.ts';
import { openDatabase, type OpenDatabase } from '../../src/main/database.ts';
import { PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
let database: OpenDatabase;
const open = () =>
  openDatabase(
    { kind: 'postgres', url: server.url(), shown: 'the test server' },
    { folder: migrationsFolder, table: 'ledger_migrations' },
  );

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await open();
});
afterAll(async () => {
  await database?.close();
  await server?.close();
});

test('several processes may migrate at once', async () => {
  const others = await Promise.all([open(), open(), open()]);
  await Promise.all(others.map((other) => other.close()));
});

test('connections that die, idle or inside a transaction, cost an error each and nothing more', async () => {
  const { db } = database;
  const killAll = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'catalog-reconciler' and pid <> pg_backend_pid()`;
  const failures: unknown[] = [];
  // more often than the pool has connections: each one that is not given back would be missing at the end
  for (let round = 0; round < 15; round += 1) {
    const dying = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await database.db.execute(killAll);
      await tx.execute(sql`select 1`);
    });
    await dying.catch((error: unknown) => failures.push(error));
  }
  expect(failures).toHaveLength(15);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => db.transaction((tx) => tx.execute(sql`select 1 as one`)).catch(() => undefined)),
  );
  expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(0);
  await expect(db.transaction((tx) => tx.execute(sql`select 1`))).resolves.toBeDefined();
});

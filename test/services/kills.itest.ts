import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DevServer, startDevServer } from '../../src/temporal/dev-server.ts';
import { callsTo } from '../kills/api-calls.ts';
import { type CliProcess, startCli } from '../kills/cli-process.ts';
import { end, wish, withTemporalCli } from '../support/own-dev-server.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

/**
 * The parts as one deploys them, workers and API apart, over one PostgreSQL that holds ledger, registry and source. Where
 * something is killed is not left to chance: a lock of the test's keeps a step of theirs from coming to its end.
 */

/** A start of a process on a busy machine. */
const startMs = 90_000;
/** A removal whose worker died is noticed after 2 minutes, and settled no sooner than 45 s after its intent. */
const recoveryMs = 240_000;

const tables = Array.from({ length: 40 }, (_unused, index) => `t${String(index + 1).padStart(2, '0')}`);
/** More than the 5 % that a round may find absent, but not more than the ten that it may at any rate. */
const dropped = tables.slice(0, 10);
const left = tables.slice(10);
const pathsOf = (names: readonly string[]): readonly string[] => names.map((name) => `app/${name}`);

let server: PostgresServer;
let temporal: DevServer;
let folder: string;
let env: Readonly<Record<string, string>>;
let port: number;
const sales = callsTo(() => `http://127.0.0.1:${port}`, 'lake', 'sales');

withTemporalCli();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  [server, temporal] = await Promise.all([PostgresServer.start(), startDevServer(wish(join(folder, 'temporal')))]);
  await server.sql('create database ledger');
  await server.sql('create database sales');
  await server.sql(
    `create schema app; ${tables.map((name) => `create table app.${name} (id int);`).join(' ')}`,
    'sales',
  );
  port = await getPort({ host: '127.0.0.1' });
  const config = join(folder, 'reconciler.yaml');
  await writeFile(
    config,
    `
reconcile: {misses: 2, graceSecs: 0, minimumAgeSecs: 0, removalsPerSecond: 2, removalBurst: 1}
metalakes:
  lake:
    catalogs:
      sales:
        provider: postgresql
        connection: {host: ${server.host}, port: ${server.port}, database: sales, user: postgres, sslmode: disable}
        password: {env: SALES_PASSWORD}
`,
  );
  env = {
    RECONCILER_CONFIG: config,
    RECONCILER_LEDGER_URL: server.url('ledger'),
    RECONCILER_REGISTRY_URL: server.url('ledger'),
    RECONCILER_SERVER_PORT: String(port),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'default',
    SALES_PASSWORD: server.password,
  };
});
afterAll(async () => {
  if (temporal !== undefined) await end(temporal);
  await server?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function startApi(): Promise<CliProcess> {
  const api = startCli(['api'], env);
  await api.says(/the API listens/, startMs);
  return api;
}

async function startWorker(): Promise<CliProcess> {
  const worker = startCli(['worker'], env);
  await worker.says(/the worker works/, startMs);
  return worker;
}

/** The API and two workers; they end with the test. */
async function startAll() {
  const [api, one, other] = await Promise.all([startApi(), startWorker(), startWorker()]);
  return { api, one, other };
}

const drop = (names: readonly string[]) =>
  server.sql(names.map((name) => `drop table app.${name};`).join(' '), 'sales');

/** Keeps everybody else off a table, until it is released or the server goes. */
async function hold(database: string, table: string) {
  const client = new pg.Client({ connectionString: server.url(database), ssl: false });
  client.on('error', () => {}); // the server may be stopped under it, which ends the lock as well
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  const release = () => client.end().catch(() => {});
  onTestFinished(release);
  return {
    release,
    /** Until one of our processes stands before the lock. */
    async met(): Promise<void> {
      await until(`somebody wants ${table}`, startMs, async () => {
        const waiting = await server.sql(
          `select pid from pg_locks join pg_stat_activity using (pid)
           where locktype = 'relation' and not granted and backend_type = 'client backend'`,
        );
        return waiting.length > 0;
      });
    },
  };
}

const ledger = (text: string) => server.sql(text, 'ledger');

/** Paths of everything that was removed, each as often as it was. */
async function removed(): Promise<readonly unknown[]> {
  const rows = await ledger("select path from removals where outcome in ('removed', 'already-gone') order by path");
  return rows.map(({ path }) => path);
}

async function approve(names: readonly string[]): Promise<void> {
  const found = await sales.stale();
  expect(found.map(({ path }) => path)).toEqual(pathsOf(names));
  const { answers } = await sales.approve(found, `all-${names.length}`);
  expect(answers.map(({ answer }) => answer)).toEqual(names.map(() => 'accepted'));
}

const removedAre = (count: number) =>
  until(`${count} are removed`, recoveryMs, async () => (await removed()).length >= count, 100);

describe('kills and restarts, one after the other in one house', { timeout: 300_000 }, () => {
  test('PostgreSQL restarted, then both workers and the API killed, each in the middle of a removal', async () => {
    expect(await startCli(['schedules', 'apply'], env).exitCode(startMs)).toBe(0);
    const { api, one, other } = await startAll();
    expect(await sales.import()).toMatchObject({ added: tables.length + 2 });
    expect(await sales.round(startMs)).toMatchObject({ state: 'published' });
    await drop(dropped);
    expect(await sales.round(startMs)).toMatchObject({ state: 'published' });
    expect(await sales.round(startMs)).toMatchObject({ state: 'published', record: { hold: [] } });
    await approve(dropped);

    await removedAre(1);
    const beforeRestart = await hold('ledger', 'registry.tombstones');
    await beforeRestart.met();
    await server.stop('immediate');
    await server.start();

    // The same processes go on without a hand.
    await removedAre(5);
    const beforeKill = await hold('ledger', 'registry.tombstones');
    await beforeKill.met();
    await one.kill();
    await other.kill();
    await api.kill();
    expect(await ledger("select id from intents where state = 'open'")).toHaveLength(1);
    expect((await removed()).length).toBeLessThan(dropped.length);
    await beforeKill.release();

    await Promise.all([startApi(), startWorker()]);
    await removedAre(dropped.length);
    expect(await sales.stale()).toEqual([]);
  });

  test('after all that: each approved one removed once, nothing else, and everything on record', async () => {
    const paths = pathsOf(dropped);
    expect(await removed()).toEqual(paths);
    const once = await ledger(
      "select entity from removals where outcome in ('removed', 'already-gone') group by entity having count(*) = 1",
    );
    expect(once).toHaveLength(dropped.length);
    // Two were cut off before the registry had them, and tried again; nothing else went wrong.
    const others = await ledger("select outcome from removals where outcome not in ('removed', 'already-gone')");
    expect(others).toEqual([{ outcome: 'abandoned' }, { outcome: 'abandoned' }]);

    const buried = await ledger(
      `select t.path_key, i.outcome, i.entity = t.entity_id as same
       from registry.tombstones t left join intents i on i.id = t.intent_id order by t.path_key`,
    );
    expect(buried).toEqual(paths.map((path_key) => ({ path_key, outcome: 'removed', same: true })));
    const registered = await ledger('select path_key from registry.entities order by path_key');
    expect(registered.map(({ path_key }) => path_key)).toEqual(['app', ...pathsOf(left), 'public']);

    expect(await ledger("select id from intents where state <> 'settled' or outcome is null")).toEqual([]);
    const records = await ledger(
      `select r.outcome = i.outcome as told, r.actor ->> 'name' as actor, i.actor ->> 'name' as asked,
         (select count(*)::int from audit a where a.subject = r.id and a.action = 'intent-opened') as opened,
         (select count(*)::int from audit a where a.subject = r.id and a.action = 'removal-settled') as settled
       from intents i left join removals r on r.id = i.id`,
    );
    const told = { told: true, actor: 'ada', asked: 'ada', opened: 1, settled: 1 };
    expect(records).toEqual(Array(dropped.length + others.length).fill(told));
    expect(await ledger('select id from removals')).toHaveLength(records.length);
  });
});

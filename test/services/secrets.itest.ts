import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { startDevServer } from '../../src/temporal/dev-server.ts';
import { callsTo } from '../kills/api-calls.ts';
import { startCli } from '../kills/cli-process.ts';
import { runCli } from '../main/run-cli.ts';
import { end, wish, withTemporalCli } from '../support/own-dev-server.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/until.ts';

withTemporalCli();

const patienceMs = 90_000;

/** Marked, so that each can be found again wherever it comes out, and told from the others. */
const planted = {
  ledger: 'planted-ledger-7f31',
  source: 'planted-source-9c02',
  wrong: 'planted-wrong-41ab',
  registered: 'planted-registered-d7e5',
  entity: 'planted-entity-5b88',
  rotated: 'planted-rotated-20c4',
  refused: 'planted-refused-e913',
  bearer: 'planted-bearer-6a0d-0123456789',
  forged: 'planted-forged-3c75-0123456789',
} as const;

test('no secret comes out: not in logs, answers, errors, reports, histories or the ledger', {
  timeout: 300_000,
}, async () => {
  const folder = await scratchFolder();
  const [server, temporal] = await Promise.all([
    PostgresServer.start(),
    startDevServer(wish(join(folder, 'temporal'))),
  ]);
  onTestFinished(async () => {
    await end(temporal);
    await server.close();
  });
  await server.sql(`create role keeper login password '${planted.ledger}'`);
  await server.sql(`create role reader login password '${planted.source}'`);
  await server.sql('create database ledger owner keeper');
  await server.sql('create database sales');
  const tables = Array.from({ length: 20 }, (_unused, n) => `t${n}`);
  await server.sql(
    `create schema app; ${tables.map((name) => `create table app.${name} (id int);`).join('')} grant usage on schema app to reader`,
    'sales',
  );
  const ledgerUrl = server.url('ledger').replace(/\/\/[^@]*@/, `//keeper:${planted.ledger}@`);
  const where = `{host: ${server.host}, port: ${server.port}, database: sales, user: reader, sslmode: disable}`;
  const config = join(folder, 'reconciler.yaml');
  await writeFile(join(folder, 'wrong-password'), `${planted.wrong}\n`);
  await writeFile(
    config,
    `
auth: {tokens: [{name: ada, token: {env: ADA_TOKEN}, roles: [operator]}]}
reconcile: {misses: 2, graceSecs: 0, minimumAgeSecs: 0}
metalakes:
  lake:
    catalogs:
      sales: {provider: postgresql, connection: ${where}, password: {env: SALES_PASSWORD}}
      locked: {provider: postgresql, connection: ${where}, password: {file: ${join(folder, 'wrong-password')}}}
`,
  );
  const dataDir = join(folder, 'data');
  const env = {
    RECONCILER_CONFIG: config,
    RECONCILER_LEDGER_URL: ledgerUrl,
    RECONCILER_REGISTRY_URL: ledgerUrl,
    RECONCILER_LOG_LEVEL: 'debug',
    TEMPORAL_ADDRESS: temporal.address,
    SALES_PASSWORD: planted.source,
    ADA_TOKEN: planted.bearer,
  };
  const up = startCli(['up', '--no-demo', '--data-dir', dataDir, '--port', '0'], env);
  await up.says(/API +http:\S+/, patienceMs);
  const api = /API +(http:\S+)/.exec(up.output())?.[1] ?? '';
  const token = new Secret(planted.bearer);
  const said: string[] = [];
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    bearer: string = planted.bearer,
  ): Promise<number> => {
    const answer = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    said.push(JSON.stringify([...answer.headers]), await answer.text());
    return answer.status;
  };
  const cli = async (...args: string[]): Promise<void> => {
    const { out, err } = await runCli(args, api, { defaults: { api, token } });
    said.push(out, err);
  };

  // a working life: import, rounds, a removal, a refused password, secrets set, changed, and set where they do not belong
  const lake = '/api/metalakes/lake/catalogs';
  const sales = callsTo(() => api, 'lake', 'sales', token);
  await sales.import();
  expect(await call('PATCH', `${lake}/sales/schemas/app/tables/t1`, { secrets: { token: planted.entity } })).toBe(200);
  expect(
    await call('POST', lake, {
      name: 'other',
      provider: 'postgresql',
      settings: { host: server.host, port: String(server.port), database: 'sales', user: 'nobody', sslmode: 'disable' },
      secrets: { password: planted.registered },
    }),
  ).toBe(201);
  expect(await call('PATCH', `${lake}/other`, { secrets: { password: planted.rotated } })).toBe(200);
  expect(await call('PATCH', `${lake}/other`, { settings: { password: planted.refused } })).toBe(422);
  expect(await call('PATCH', `${lake}/other`, { secrets: planted.refused })).toBe(400);
  expect(await call('POST', `${lake}/sales/decisions`, { items: [], password: planted.refused })).toBe(400);
  // a token that nobody has, and one in a place where it does not belong
  expect(await call('GET', '/api/overview', undefined, planted.forged)).toBe(401);
  expect(await call('GET', `/api/overview?access_token=${planted.bearer}`)).toBe(400);
  await cli('catalogs', '--token', planted.forged);
  await sales.round(patienceMs);
  await server.sql('drop table app.t1', 'sales');
  await sales.round(patienceMs);
  await sales.round(patienceMs);
  await sales.approve(await sales.stale(), 'gone');
  await until('it is removed', patienceMs, async () => (await sales.removals()).length > 0, 200);
  for (const name of ['locked', 'other']) await callsTo(() => api, 'lake', name, token).round(patienceMs);

  // every answer that a reader can get, and what the command line makes of them
  for (const path of ['/api/overview', '/api/audit?limit=500', '/api/metalakes', lake, '/readyz'])
    await call('GET', path);
  for (const name of ['sales', 'locked', 'other']) {
    for (const part of [
      '',
      '/policy',
      '/rounds',
      '/stale?state=all',
      '/decisions',
      '/removals',
      '/stale-schemas',
      '/schemas',
    ]) {
      await call('GET', `${lake}/${name}${part}`);
    }
  }
  await call('GET', `${lake}/sales/schemas/app/tables/t2`);
  await call('POST', `${lake}/locked/import`);
  for (const args of [['catalogs'], ['stale', 'lake/sales'], ['rounds', 'lake/locked'], ['removals', 'lake/sales']]) {
    await cli(...args);
    await cli(...args, '--json');
  }
  // a ledger that goes away, and the process that ends, have something to say too
  await server.stop('immediate');
  await call('GET', '/api/overview');
  await server.start();
  await until('the ledger is back', patienceMs, async () => (await call('GET', '/api/overview')) === 200, 200);
  await up.stop('SIGTERM');

  const places = {
    'what the process said': up.output(),
    'the log': await readFile(join(dataDir, 'catalog-reconciler.log'), 'utf8'),
    'answers and the command line': said.join('\n'),
    'histories of Temporal': await historiesOf(temporal.address),
    'the ledger': await tablesOf(server, 'public'),
    'events of the registry': JSON.stringify(await server.sql('select * from registry.events', 'ledger')),
    tombstones: JSON.stringify(await server.sql('select * from registry.tombstones', 'ledger')),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, `${place} is empty, so nothing was looked at`).toBeGreaterThan(100);
    for (const secret of Object.values(planted)) {
      const shapes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)];
      expect(
        shapes.filter((shape) => text.includes(shape)),
        `${secret} in ${place}`,
      ).toEqual([]);
    }
  }
});

/** Every payload of every run, as text. */
async function historiesOf(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const client = new Client({ connection, namespace: 'default' });
  const texts: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const readable = (_key: string, value: unknown): unknown => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
      return typeof value === 'bigint' ? String(value) : value;
    };
    texts.push(JSON.stringify(history, readable));
  }
  return texts.join('\n');
}

async function tablesOf(server: PostgresServer, schema: string): Promise<string> {
  const tables = await server.sql(
    `select table_name as name from information_schema.tables where table_schema = '${schema}'`,
    'ledger',
  );
  const rows = [];
  for (const { name } of tables)
    rows.push(name, await server.sql(`select * from ${schema}."${String(name)}"`, 'ledger'));
  return JSON.stringify(rows);
}

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresSource, type PostgresOptions } from '../../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../../src/sources/source.ts';
import { caught } from '../contract/bench.ts';
import { sourceContract } from '../source-contract.ts';
import { pgliteHost } from './pglite-host.ts';
import { postgresWorld } from './postgres-world.ts';

const never = new AbortController().signal;
let host: Awaited<ReturnType<typeof pgliteHost>>;

beforeAll(async () => {
  host = await pgliteHost();
});
afterAll(() => host.close());

// one database for all, since its start takes longer than all of the tests
sourceContract('PostgreSQL in PGlite', () => postgresWorld({ ...host, close: async () => {} }));

function open(given: Record<string, string> = {}, options: PostgresOptions = {}): Source {
  const settings = { host: '127.0.0.1', port: String(host.port), database: 'postgres', user: 'postgres', ...given };
  const source = openPostgresSource(settings, options);
  onTestFinished(() => source.close());
  return source;
}

test('B19 a server that answers for another database than the configured one is refused', async () => {
  const source = open({ database: 'sales' });
  const asked = [source.check([], never), source.probe([], [], never), source.identify(['schema:11'], never)];
  for (const failure of await Promise.all(asked.map(caught))) {
    expect(failure).toMatchObject({ type: 'SourceProtocolError', code: 'other-database' });
  }
  await expect(source.list(never)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'other-database' });
});

test('temporary tables that shadow the catalog change nothing', async () => {
  const source = open();
  await host.sql('CREATE SCHEMA shadowed; CREATE TABLE shadowed.orders (id int)');
  const target = { kind: 'table', path: ['shadowed', 'orders'] } as const;
  const before = await source.probe([target], [target], never);
  // the server in this process has one session, so what is temporary there is so for the source as well
  await host.sql('CREATE TEMP TABLE pg_class (LIKE pg_catalog.pg_class); CREATE TEMP TABLE pg_namespace (a int)');
  onTestFinished(() => host.sql('DROP TABLE pg_temp.pg_class; DROP TABLE pg_temp.pg_namespace').then(() => {}));
  const after = await source.probe([target], [target], never);
  expect(after).toEqual(before);
  expect(after.answers[0]).toMatchObject({ answer: 'present', found: 'table' });
});

test('partitions and what belongs to the system are not listed', async () => {
  await host.sql(`
    CREATE SCHEMA listed;
    CREATE TABLE listed.parted (id int) PARTITION BY LIST (id);
    CREATE TABLE listed.part PARTITION OF listed.parted FOR VALUES IN (1);
    CREATE SEQUENCE listed.counter;
  `);
  const source = open();
  const paths: string[] = [];
  for await (const { path } of source.list(never)) paths.push(path.join('/'));
  expect(paths.filter((path) => path.startsWith('listed'))).toEqual(['listed', 'listed/parted']);
  expect(paths.filter((path) => /^(pg_|information_schema)/.test(path))).toEqual([]);
  const { answers } = await source.probe(
    [
      { kind: 'table', path: ['listed', 'part'] },
      { kind: 'table', path: ['listed', 'counter'] },
    ],
    [],
    never,
  );
  expect(answers).toMatchObject([
    { answer: 'present', found: 'table' },
    { answer: 'present', found: 'other' },
  ]);
});

test('a host that does not exist is unreachable', async () => {
  const failure = await caught(open({ host: 'no-such-host.invalid' }).check([], never));
  expect(failure.type).toBe('SourceUnreachable');
  expect(failure.message).toContain('no-such-host.invalid:');
});

test('sslmode is obeyed: a server without TLS is unreachable for one who demands it', async () => {
  for (const sslmode of ['require', 'verify-ca', 'verify-full']) {
    expect(await caught(open({ sslmode }).check([], never))).toMatchObject({ type: 'SourceUnreachable' });
  }
});

test('a file of certificates that cannot be read is a mistake in the settings', async () => {
  const source = open({ sslmode: 'verify-full', sslrootcert: '/no/such/file.pem' });
  expect(await caught(source.check([], never))).toMatchObject({ type: 'InvalidRequest', code: 'sslrootcert' });
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readControls } from '../../src/domain/controls.ts';
import type { ProbeTarget } from '../../src/domain/verdict.ts';
import { openPostgresSource, type PostgresOptions } from '../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../src/sources/source.ts';
import { caught } from '../sources/contract/bench.ts';
import { pgbouncerProgram, type Pooler, startPooler } from '../support/pgbouncer.ts';
import { serverAccount } from '../support/postgres-binaries.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { selfSigned } from '../support/self-signed.ts';
import { silentPeer } from '../support/tcp-peers.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const orders: ProbeTarget = { kind: 'table', path: ['public', 'orders'] };

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
  await server.sql('CREATE TABLE orders (id int)');
});
afterAll(() => server.close());

function connect(given: Record<string, string>, options: PostgresOptions): Source {
  const settings = { host: '127.0.0.1', port: String(server.port), database: 'postgres', user: 'postgres', ...given };
  return openPostgresSource(settings, { password: server.password, ...options });
}

function open(given: Record<string, string> = {}, options: PostgresOptions = {}): Source {
  const source = connect(given, options);
  onTestFinished(() => source.close());
  return source;
}

describe('TLS', () => {
  let certificate: string;

  beforeAll(async () => {
    const made = await selfSigned(server.folder, 'localhost', await serverAccount());
    certificate = made.certificate;
    await server.configure({ ssl: 'on', ssl_cert_file: made.certificate, ssl_key_file: made.key });
    await server.sql('SELECT pg_reload_conf()');
    await until('the server speaks TLS', 10_000, async () => {
      const source = connect({ sslmode: 'require' }, {});
      const speaks = source.check([], never).then(
        () => true,
        () => false,
      );
      return speaks.finally(() => void source.close());
    });
  });

  test.each([
    ['require', {}],
    ['verify-ca', {}],
    ['verify-full', { host: 'localhost' }],
  ])('%s works where the certificate fits, several questions on one connection', async (sslmode, given) => {
    const trusted = sslmode === 'require' ? {} : { sslrootcert: certificate };
    const source = open({ sslmode, ...trusted, ...given }, { maxConnections: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await source.probe([orders], [orders], never)).answers[0]?.answer).toBe('present');
    }
    await source.close();
  });

  test.each([
    ['nobody vouches for it', { sslmode: 'verify-full', host: 'localhost' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['nobody vouches for it, whatever its name', { sslmode: 'verify-ca' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('a certificate is refused when %s', async (_what, given, code) => {
    expect(await caught(open(given).check([], never))).toMatchObject({ type: 'SourceUnreachable', code });
  });

  test('a certificate is refused when it is for another host', async () => {
    const failure = await caught(open({ sslmode: 'verify-full', sslrootcert: certificate }).check([], never));
    expect(failure).toMatchObject({ type: 'SourceUnreachable', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('a cancelled call ends its encrypted connection', async () => {
    const source = open({ sslmode: 'require' });
    await source.check([], never);
    await server.session('postgres', async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE pg_catalog.pg_class IN ACCESS EXCLUSIVE MODE');
      await expect(source.probe([orders], [], AbortSignal.timeout(100))).rejects.toThrow();
      await client.query('COMMIT');
    });
    await until('the server saw it go', 10_000, async () => {
      const rows = await server.sql(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'catalog-reconciler'`);
      return rows.length === 0;
    });
  });

  test('a peer that never answers the wish for TLS is unreachable', async () => {
    const peer = await silentPeer();
    onTestFinished(() => peer.close());
    const source = open({ sslmode: 'require', port: String(peer.port) }, { timeouts: { connectMs: 200 } });
    expect(await caught(source.check([], never))).toMatchObject({ type: 'SourceUnreachable', code: 'connect-timeout' });
    await until('no connection is left', 5_000, () => peer.open() === 0);
  });
});

const program = pgbouncerProgram();
if (program === undefined) {
  console.warn('NOT TESTED: PostgreSQL behind a pooler, because the program pgbouncer is not installed');
}

describe.skipIf(program === undefined)('a pooler', () => {
  let pooler: Pooler;

  beforeAll(async () => {
    await server.sql('CREATE DATABASE elsewhere');
    pooler = await startPooler(program ?? '', server, {
      postgres: 'postgres',
      alias: 'elsewhere',
      vanished: 'vanished',
    });
  });
  afterAll(() => pooler.close());

  test('in transaction mode is no obstacle', async () => {
    const source = open({ port: String(pooler.port) });
    const asked = Array.from({ length: 20 }, () => source.probe([orders], [orders], never));
    for (const { answers, controls } of await Promise.all(asked)) {
      expect(answers[0]?.answer).toBe('present');
      expect(readControls(controls)).toBe('trusted');
    }
  });

  test('B19 an alias that leads to another database is refused', async () => {
    const failure = await caught(open({ port: String(pooler.port), database: 'alias' }).check([], never));
    expect(failure).toMatchObject({ type: 'SourceProtocolError', code: 'other-database' });
  });

  test.each([
    ['unknown to the pooler', 'nowhere'],
    ['missing at the server', 'vanished'],
  ])('B11 a database %s is unreachable: the pooler’s word is not the server’s', async (_what, database) => {
    const failure = await caught(open({ port: String(pooler.port), database }).check([], never));
    expect(['SourceUnreachable', 'SourceUnavailable']).toContain(failure.type);
    expect(failure.code).toBe('08P01');
  });

  test('B01 a server that is gone behind its pooler is an outage', async () => {
    const source = open({ port: String(pooler.port) });
    await source.check([], never);
    await server.stop('immediate');
    onTestFinished(() => server.start());
    for (let turn = 0; turn < 2; turn += 1) {
      const failure = await caught(source.probe([orders], [], never));
      expect(['SourceUnreachable', 'SourceUnavailable']).toContain(failure.type);
    }
  });
});

import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ReconcilerFailure } from '../../src/domain/failure.ts';
import type { ProbeTarget } from '../../src/domain/verdict.ts';
import { openPostgresSource, type PostgresOptions } from '../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../src/sources/source.ts';
import { caught } from '../sources/contract/bench.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const orders: ProbeTarget = { kind: 'table', path: ['public', 'orders'] };
const gone: ProbeTarget = { kind: 'table', path: ['public', 'gone'] };

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
  await server.sql('CREATE TABLE orders (id int)');
});
afterAll(() => server.close());

function open(given: Record<string, string> = {}, options: PostgresOptions = {}, at = server): Source {
  const settings = { host: at.host, port: String(at.port), database: 'postgres', user: 'postgres', ...given };
  const source = openPostgresSource(settings, { password: at.password, ...options });
  onTestFinished(() => source.close());
  return source;
}

/** Holds the catalog table so that a probe waits, for as long as `work` takes. */
function whileProbesWait<T>(work: (client: Client, waiting: () => Promise<number>) => Promise<T>): Promise<T> {
  return server.session('postgres', async (client) => {
    const waiting = async () => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'catalog-reconciler' AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.pid ?? 0;
    };
    await waiting(); // the session knows the view's shape before nobody can look it up any more
    await client.query('BEGIN');
    await client.query('LOCK TABLE pg_catalog.pg_class IN ACCESS EXCLUSIVE MODE');
    return work(client, waiting);
  });
}

async function expectWorking(source: Source): Promise<void> {
  const { answers } = await source.probe([orders, gone], [orders], never);
  expect(answers.map(({ answer }) => answer)).toEqual(['present', 'absent']);
}

describe('B02 a statement that does not end', () => {
  test('is given up after its time, and its connection is not used again', async () => {
    const source = open({}, { timeouts: { statementMs: 300 }, maxConnections: 1 });
    await source.check([], never);
    await whileProbesWait(async () => {
      const failure = await caught(source.probe([orders], [], never));
      expect(failure).toMatchObject({ type: 'SourceUnavailable', code: 'statement-timeout' });
    });
    await expectWorking(source);
  });

  test('is cancelled with its call, at once', async () => {
    const source = open();
    await source.check([], never);
    await whileProbesWait(async (_client, waiting) => {
      const controller = new AbortController();
      const asked = source.probe([orders], [], controller.signal);
      asked.catch(() => {});
      await until('the probe waits', 10_000, async () => (await waiting()) !== 0);
      const reason = new Error('the round was cancelled');
      controller.abort(reason);
      await expect(asked).rejects.toBe(reason);
    });
    await expectWorking(source);
  });

  test.each<[string, string, string]>([
    ['cancelled by an administrator', 'pg_cancel_backend', '57014'],
    ['ended by an administrator', 'pg_terminate_backend', '57P01'],
  ])('%s: no verdict', async (_what, call, code) => {
    const source = open();
    await source.check([], never);
    const failure = await whileProbesWait(async (client, waiting) => {
      const asked = caught(source.probe([orders], [], never));
      let pid = 0;
      await until('the probe waits', 10_000, async () => (pid = await waiting()) !== 0);
      await client.query(`SELECT ${call}(${pid})`);
      return asked;
    });
    expect(failure).toMatchObject({ type: 'SourceUnavailable', code });
    await until('its connection is gone', 10_000, async () => {
      const rows = await server.sql(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'catalog-reconciler'`);
      return rows.length === 0;
    });
    await expectWorking(source);
  });

  test.each<[string, string, ReconcilerFailure['type'], string]>([
    ['statement_timeout', 'hurried', 'SourceUnavailable', '57014'],
    ['lock_timeout', 'impatient', 'SourceBusy', '55P03'],
  ])('stopped by the role’s own %s', async (setting, user, type, code) => {
    await server.sql(`CREATE ROLE ${user} LOGIN PASSWORD 'p'; ALTER ROLE ${user} SET ${setting} = '200ms'`);
    const source = open({ user }, { password: 'p' });
    await source.check([], never);
    await whileProbesWait(async () => {
      expect(await caught(source.probe([orders], [], never))).toMatchObject({ type, code });
    });
    await expectWorking(source);
  });
});

describe('B01 a server that goes', () => {
  test('a database dropped under an open session: first an outage, then a missing database, never an absence', async () => {
    await server.sql('CREATE DATABASE doomed');
    const source = open({ database: 'doomed' });
    await source.check([], never);
    await server.sql('DROP DATABASE doomed WITH (FORCE)');
    const codes = new Set<string>();
    await until('the server says that the database is missing', 10_000, async () => {
      const failure = await caught(source.probe([orders], [], never));
      codes.add(failure.code);
      return failure.code === '3D000';
    });
    codes.delete('3D000');
    // depends on which is first, the question or the news that the session was ended
    expect(['57P01', 'connection-lost', 'ECONNRESET', 'EPIPE']).toEqual(expect.arrayContaining([...codes]));
  });

  test('a session that is ended while nobody uses it takes nothing down with it', async () => {
    const source = open({}, { maxConnections: 3 });
    await Promise.all([source.check([], never), source.check([], never), source.check([], never)]);
    await server.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'catalog-reconciler'`,
    );
    await until('the source works again', 10_000, async () => {
      return source.check([], never).then(
        () => true,
        (error: ReconcilerFailure) => {
          expect(error.type).toBe('SourceUnavailable');
          return false;
        },
      );
    });
    await expectWorking(source);
  });

  test('a backend that is killed takes its neighbours along; the source recovers with the server', async () => {
    const source = open();
    await source.check([], never);
    const victim = await server.sql(`SELECT pid FROM pg_stat_activity WHERE application_name = 'catalog-reconciler'`);
    process.kill(Number(victim[0]?.['pid']), 'SIGKILL');
    const seen = new Set<string>();
    await until('the source works again', 20_000, async () => {
      const failure = await source.probe([orders], [], never).then(
        () => undefined,
        (error: ReconcilerFailure) => error,
      );
      if (failure !== undefined) seen.add(failure.type);
      return failure === undefined && server.answers();
    });
    for (const type of seen) expect(['SourceUnavailable', 'SourceUnreachable']).toContain(type);
    await expectWorking(source);
  });

  test('smart shutdown: open sessions are answered, new ones are told to wait', async () => {
    const source = open({}, { maxConnections: 1 });
    await source.check([], never);
    server.signal('SIGTERM');
    await until('the server lets nobody in', 10_000, async () => !(await server.answers()));
    await expectWorking(source);
    expect(await caught(open().check([], never))).toMatchObject({ type: 'SourceUnavailable', code: '57P03' });
    await source.close();
    await server.stop('smart');
    expect(await caught(open().check([], never))).toMatchObject({ type: 'SourceUnreachable', code: 'ECONNREFUSED' });
    await server.start();
    await expectWorking(open());
  });

  test.each(['immediate', 'kill'] as const)(
    '%s: every answer is a failure or the truth, and then it works',
    async (how) => {
      const source = open();
      const types = new Set<string>();
      let running = true;
      const asking = (async () => {
        while (running) {
          try {
            const { answers } = await source.probe([orders, gone], [orders], never);
            expect(answers.map(({ answer }) => answer)).toEqual(['present', 'absent']);
          } catch (error) {
            types.add((error as ReconcilerFailure).type);
          }
        }
      })();
      await (how === 'kill' ? server.kill() : server.stop('immediate'));
      await until('the outage was noticed', 10_000, () => types.size > 0);
      await server.start();
      await until('the source works again', 10_000, () =>
        source.check([], never).then(
          () => true,
          () => false,
        ),
      );
      running = false;
      await asking;
      for (const type of types) expect(['SourceUnavailable', 'SourceUnreachable']).toContain(type);
      await expectWorking(source);
    },
  );
});

describe('a standby', () => {
  test('B02 says what is there; what it does not know is unknown until it leads', async () => {
    const standby = await PostgresServer.standbyOf(server);
    onTestFinished(() => standby.close());
    const [here, there] = [open(), open({}, {}, standby)];
    const batch = await there.probe([orders, gone, { kind: 'schema', path: ['gone'] }], [orders], never);
    expect(batch.answers).toMatchObject([
      { answer: 'present' },
      { answer: 'unknown', code: 'standby' },
      { answer: 'unknown', code: 'standby' },
    ]);
    expect(batch.controls.impossible.answer).toBe('absent');
    expect(batch.fingerprint).toBe((await here.check([], never)).fingerprint);

    await standby.sql('SELECT pg_promote()');
    await expectWorking(there);
  });

  test('without hot standby it is unavailable, whoever asks', async () => {
    const standby = await PostgresServer.standbyOf(server);
    onTestFinished(() => standby.close());
    await standby.stop();
    await standby.configure({ hot_standby: 'off' });
    const refuses = standby.start();
    await until('the standby refuses', 10_000, async () => {
      const failure = await caught(open({}, { password: 'wrong' }, standby).check([], never));
      return failure.type === 'SourceUnavailable' && failure.code === '57P03';
    });
    await standby.configure({ hot_standby: 'on' });
    await standby.stop();
    await refuses;
  });
});

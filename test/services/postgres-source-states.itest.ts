import { escapeIdentifier } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readControls } from '../../src/domain/controls.ts';
import type { ProbeTarget } from '../../src/domain/verdict.ts';
import { openPostgresSource, type PostgresOptions } from '../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../src/sources/source.ts';
import { caught } from '../sources/contract/bench.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { cuttingProxy } from '../support/tcp-peers.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const orders: ProbeTarget = { kind: 'table', path: ['shop', 'orders'] };
const gone: ProbeTarget = { kind: 'table', path: ['shop', 'gone'] };

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start({ max_locks_per_transaction: '512' }); // one test makes thousands of tables at once
  await server.sql('CREATE DATABASE sales');
  await server.sql("CREATE ROLE reader LOGIN PASSWORD 'right'");
  await server.sql(
    'CREATE SCHEMA shop; CREATE TABLE shop.orders (id int); REVOKE ALL ON SCHEMA shop FROM PUBLIC',
    'sales',
  );
});
afterAll(() => server.close());

function open(given: Record<string, string> = {}, options: PostgresOptions = {}): Source {
  const settings = { host: server.host, port: String(server.port), database: 'sales', user: 'reader', ...given };
  const source = openPostgresSource(settings, { password: 'right', ...options });
  onTestFinished(() => source.close());
  return source;
}

/** A role of its own for one test, with whatever it is to be marked by. */
async function role(name: string, marks = ''): Promise<string> {
  await server.sql(`CREATE ROLE ${name} LOGIN PASSWORD 'right' ${marks}`);
  return name;
}

describe('what is seen', () => {
  test('B08 a role without any grant is told the truth about everything', async () => {
    const { answers, controls, principal } = await open().probe([orders, gone], [orders], never);
    expect(answers.map(({ answer }) => answer)).toEqual(['present', 'absent']);
    expect(readControls(controls)).toBe('trusted');
    expect(principal).toBe('reader');
  });

  test('B26 a catalog table that may not be read is denied access, not absence', async () => {
    await server.sql('REVOKE SELECT ON pg_catalog.pg_class FROM PUBLIC', 'sales');
    onTestFinished(() => server.sql('GRANT SELECT ON pg_catalog.pg_class TO PUBLIC', 'sales').then(() => {}));
    const source = open();
    const asked = [caught(source.check([], never)), caught(source.probe([orders], [], never))];
    for (const failure of await Promise.all(asked)) {
      expect(failure).toMatchObject({ type: 'SourceAccessDenied', code: '42501' });
    }
  });

  test('a search path full of impostors changes nothing', async () => {
    await server.sql(
      `CREATE SCHEMA evil;
       CREATE TABLE evil.pg_class (oid int, relname name, relnamespace oid, relkind "char");
       CREATE TABLE evil.pg_namespace (oid int, nspname name);
       CREATE DOMAIN evil.text AS int; CREATE DOMAIN evil.oid AS text;
       CREATE FUNCTION evil.current_database() RETURNS name LANGUAGE sql AS $$ SELECT 'other'::name $$;
       CREATE FUNCTION evil.unnest(pg_catalog.text[]) RETURNS SETOF pg_catalog.text LANGUAGE sql AS $$ SELECT 'x' $$;
       CREATE FUNCTION evil.eq(pg_catalog.name, pg_catalog.text) RETURNS bool LANGUAGE sql AS $$ SELECT false $$;
       CREATE OPERATOR evil.= (LEFTARG = pg_catalog.name, RIGHTARG = pg_catalog.text, FUNCTION = evil.eq);
       GRANT USAGE ON SCHEMA evil TO PUBLIC`,
      'sales',
    );
    const user = await role('misled');
    await server.sql(`ALTER ROLE ${user} SET search_path = evil, pg_catalog`);
    const source = open({ user });
    const { answers } = await source.probe([orders, gone], [orders], never);
    expect(answers.map(({ answer }) => answer)).toEqual(['present', 'absent']);
    const uid = answers[0]?.answer === 'present' ? (answers[0].uid ?? '') : '';
    expect(await source.identify([uid], never)).toEqual([{ uid, path: orders.path, found: 'table' }]);
    const listed: string[] = [];
    for await (const { path } of source.list(never)) listed.push(path.join('.'));
    expect(listed).toContain('shop.orders');
  });

  test('a drop that is not committed yet neither blocks nor counts', async () => {
    await server.sql('CREATE TABLE shop.leaving (id int)', 'sales');
    const leaving: ProbeTarget = { kind: 'table', path: ['shop', 'leaving'] };
    const source = open();
    await server.session('sales', async (client) => {
      await client.query('BEGIN');
      await client.query('DROP TABLE shop.leaving');
      expect((await source.probe([leaving], [], never)).answers[0]?.answer).toBe('present');
      await client.query('COMMIT');
    });
    expect((await source.probe([leaving], [], never)).answers[0]?.answer).toBe('absent');
  });

  test('B17 B19 the same names in two databases are two sources', async () => {
    await server.sql('CREATE DATABASE other');
    const [here, there] = await Promise.all([
      open().probe([orders], [orders], never),
      open({ database: 'other' }).probe([orders], [orders], never),
    ]);
    expect(here.answers[0]?.answer).toBe('present');
    expect(there.answers[0]?.answer).toBe('parent-absent');
    expect(readControls(there.controls)).toBe('controls-absent');
    expect(there.fingerprint).not.toBe(here.fingerprint);
  });

  test('a name that the database cannot represent is unknown alone', async () => {
    await server.sql(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const names = Array.from({ length: 40 }, (_, index) => (index % 7 === 3 ? `表${index}` : `café ${index}`));
    const made = names.filter((name, index) => !name.startsWith('表') && index % 2 === 0);
    const statements = made.map((name) => `CREATE TABLE ${escapeIdentifier(name)} (id int)`);
    await server.sql(statements.join(';'), 'latin');
    const targets = names.map((name): ProbeTarget => ({ kind: 'table', path: ['public', name] }));
    const known: ProbeTarget = { kind: 'table', path: ['public', made[0] ?? ''] };
    const { answers, controls } = await open({ database: 'latin' }).probe(targets, [known], never);
    expect(answers.map((answer) => answer.code)).toEqual(
      names.map((name) => {
        if (name.startsWith('表')) return 'name-not-representable';
        return made.includes(name) ? 'row' : 'no-such-relation';
      }),
    );
    expect(readControls(controls)).toBe('trusted');
    const unaskable: ProbeTarget = { kind: 'table', path: ['public', '表'] };
    expect(await caught(open({ database: 'latin' }).check([unaskable], never))).toMatchObject({
      type: 'SourceProtocolError',
      code: expect.stringMatching(/^22/) as string,
    });
  });

  test('a database without an encoding proves nothing about a name with letters beyond ASCII', async () => {
    await server.sql(`CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    const targets = ['café', 'cafe'].map((name): ProbeTarget => ({ kind: 'table', path: ['public', name] }));
    const { answers } = await open({ database: 'bytes' }).probe(targets, [], never);
    expect(answers.map(({ code }) => code)).toEqual(['encoding-unknown', 'no-such-relation']);
  });
});

describe('what is listed', () => {
  test('B25 B82 more than fits on a page: everything, each once', async () => {
    await server.sql('CREATE DATABASE wide');
    const tables = 4_321;
    await server.sql(
      `DO $$ BEGIN FOR i IN 1..${tables} LOOP EXECUTE 'CREATE TABLE t' || i || ' ()'; END LOOP; END $$`,
      'wide',
    );
    const uids = new Set<string>();
    let count = 0;
    for await (const { uid } of open({ database: 'wide' }).list(never)) {
      count += 1;
      uids.add(uid ?? '');
    }
    expect([count, uids.size]).toEqual([tables + 1, tables + 1]);
    const located = await open({ database: 'wide' }).identify([...uids], never);
    expect(located).toHaveLength(tables + 1);
  });
});

describe('who is let in', () => {
  test.each<[string, Record<string, string>, PostgresOptions, string, string]>([
    ['a wrong password', {}, { password: 'wrong-secret' }, 'SourceAccessDenied', '28P01'],
    ['a role that does not exist', { user: 'nobody' }, {}, 'SourceAccessDenied', '28P01'],
    ['B19 a database that does not exist', { database: 'nowhere' }, {}, 'SourceProtocolError', '3D000'],
    ['a database name in other case', { database: 'SALES' }, {}, 'SourceProtocolError', '3D000'],
    [
      'a missing database for one with a wrong password',
      { database: 'nowhere' },
      { password: 'wrong-secret' },
      'SourceAccessDenied',
      '28P01',
    ],
  ])('%s', async (_what, given, options, type, code) => {
    const source = open(given, options);
    const asked = [caught(source.check([], never)), caught(source.probe([orders, gone], [], never))];
    for (const failure of await Promise.all(asked)) {
      expect(failure).toMatchObject({ type, code });
      expect(`${failure.message} ${failure.stack}`).not.toMatch(/wrong-secret|right/);
    }
  });

  test('no password at all, where the server asks for one', async () => {
    const source = openPostgresSource({
      host: server.host,
      port: String(server.port),
      database: 'sales',
      user: 'reader',
    });
    onTestFinished(() => source.close());
    expect(await caught(source.check([], never))).toMatchObject({
      type: 'SourceAccessDenied',
      code: 'password-missing',
    });
    const between = await cuttingProxy(server.port, Number.MAX_SAFE_INTEGER);
    onTestFinished(() => between.close());
    const failure = await caught(open({ port: String(between.port) }, { password: '' }).check([], never));
    expect(failure.code).toBe('password-missing');
    // the server would wait for a password for a minute
    await until('no connection is left', 5_000, () => between.open() === 0);
  });

  test('a password that is asked for each time may change, and may be out of reach for a while', async () => {
    const user = await role('rotated');
    const passwords = [undefined, 'right', 'next'];
    const password = () => {
      const next = passwords.shift();
      return next === undefined ? Promise.reject(new Error('vault: right is sealed')) : Promise.resolve(next);
    };
    const failure = await caught(open({ user }, { password }).check([], never));
    expect(failure).toMatchObject({ type: 'SourceUnavailable', code: 'password-unreadable' });
    expect(failure.message).not.toContain('right');
    await expect(open({ user }, { password }).check([], never)).resolves.toMatchObject({ principal: user });
    await server.sql(`ALTER ROLE ${user} PASSWORD 'next'`);
    await expect(open({ user }, { password }).check([], never)).resolves.toMatchObject({ principal: user });
  });

  test('a role that may not log in', async () => {
    const user = await role('locked');
    await server.sql(`ALTER ROLE ${user} NOLOGIN`);
    expect(await caught(open({ user }).check([], never))).toMatchObject({ type: 'SourceAccessDenied', code: '28000' });
  });

  test('an expired password', async () => {
    const user = await role('expired', "VALID UNTIL '2001-01-01'");
    expect(await caught(open({ user }).check([], never))).toMatchObject({ type: 'SourceAccessDenied', code: '28P01' });
  });

  test('no CONNECT privilege', async () => {
    await server.sql('CREATE DATABASE closed');
    await server.sql('REVOKE CONNECT ON DATABASE closed FROM PUBLIC');
    const failure = await caught(open({ database: 'closed' }).check([], never));
    expect(failure).toMatchObject({ type: 'SourceAccessDenied', code: '42501' });
  });

  test('a database that takes no connections', async () => {
    await server.sql('CREATE DATABASE shut ALLOW_CONNECTIONS false');
    const failure = await caught(open({ database: 'shut' }).check([], never));
    expect(failure).toMatchObject({ type: 'SourceUnavailable', code: '55000' });
  });

  test('too many connections', async () => {
    const user = await role('single', 'CONNECTION LIMIT 1');
    const first = open({ user });
    await first.check([], never);
    expect(await caught(open({ user }).check([], never))).toMatchObject({ type: 'SourceBusy', code: '53300' });
    await expect(first.check([], never)).resolves.toMatchObject({ principal: user });
  });

  test('never more connections at a time than allowed, and all of them gone after closing', async () => {
    const user = await role('limited', 'CONNECTION LIMIT 2');
    const source = open({ user }, { maxConnections: 2 });
    const asked = Array.from({ length: 30 }, () => source.probe([orders], [], never));
    expect(await Promise.all(asked)).toHaveLength(30);
    await source.close();
    // a server notices a goodbye a moment after it was said; a new source may be refused until then
    await until('no backend is left', 5_000, async () => (await backends(user)) === 0);
  });
});

async function backends(user: string): Promise<number> {
  return (await server.sql(`SELECT 1 FROM pg_stat_activity WHERE usename = '${user}'`)).length;
}

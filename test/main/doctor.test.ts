import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Diagnosis, diagnosing, inTime, LookTimedOut } from '../../src/main/doctor/diagnosis.ts';
import { reportLines, summary } from '../../src/main/doctor/report.ts';
import { openTestLedger } from '../api/api-house.ts';
import { pgliteHost } from '../sources/postgres/pglite-host.ts';
import { scratchFolder } from '../support/scratch.ts';
import { selfSigned } from '../support/self-signed.ts';
import { httpPeer, refusingPort, silentPeer } from '../support/tcp-peers.ts';
import { openCliHouse } from './cli-house.ts';
import { runCli } from './run-cli.ts';

const { ok, warning, wrong, skipped } = diagnosing('ledger');
const secret = 'planted-secret-0123456789';

/** Runs `doctor --json` over a configuration, in a folder of its own; the API is where nobody listens, unless told. */
async function doctor(yaml: string, ...args: readonly string[]) {
  const folder = await scratchFolder();
  const config = join(folder, 'reconciler.yaml');
  await writeFile(config, yaml);
  const nobody = `http://127.0.0.1:${await refusingPort()}`;
  const port = Number(new URL(nobody).port);
  const whole = /^server:/m.test(yaml) ? yaml : `server: {port: ${port}}\n${yaml}`;
  await writeFile(config, whole);
  const command = ['doctor', '--config', config, '--data-dir', join(folder, 'data'), ...args];
  const { code, out, err } = await runCli([...command, '--json'], nobody);
  const answer = JSON.parse(out) as { ok: boolean; wrong: number; diagnoses: readonly Diagnosis[] };
  const plain = await runCli(command, nobody);
  expect(plain.code).toBe(code);
  expect(out + err + plain.out + plain.err).not.toContain(secret);
  for (const line of plain.out.split('\n')) {
    expect(line.length - (line.split(/\s+/).at(-1) ?? '').length, line).toBeLessThanOrEqual(80);
  }
  return { code, ...answer, of: (area: string) => answer.diagnoses.filter((one) => one.area === area) };
}

describe('the report', () => {
  test('is a block an area, each diagnosis with what to do, and fits a terminal', () => {
    const lines = reportLines([
      ok('a', 'is well'),
      warning('b', 'word '.repeat(30).trim(), 'do this'),
      wrong('c', 'no', 'do'),
    ]);
    expect(lines[0]).toBe('Ledger');
    expect(lines[1]).toBe('  ok      a: is well');
    expect(lines).toContain('          To mend it: do this');
    expect(lines).toContain('  WRONG   c: no');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
  });

  test.each([
    [[], 'All is well.'],
    [[ok('a', ''), skipped('b', '')], 'All is well.'],
    [[warning('a', '', '')], 'Nothing is wrong; 1 warning.'],
    [[wrong('a', '', '')], '1 thing is wrong.'],
    [
      [wrong('a', '', ''), wrong('b', '', ''), warning('c', '', ''), warning('d', '', '')],
      '2 things are wrong; 2 warnings.',
    ],
  ])('%j is summed up as %s', (diagnoses, said) => {
    expect(summary(diagnoses)).toBe(said);
  });

  test('a look that hangs ends in time, and is told to stop', async () => {
    let told: unknown;
    const hanging = inTime(20, (signal) => new Promise((_resolve) => (signal.onabort = () => (told = signal.reason))));
    await expect(hanging).rejects.toBeInstanceOf(LookTimedOut);
    expect(told).toBeInstanceOf(LookTimedOut);
  });
});

describe('the configuration', () => {
  test('each problem of a broken one is a diagnosis, and the API is asked all the same', async () => {
    const found = await doctor(`metalakse: {}\nreconcile: {misses: often}\ntemporal: {apiKey: ${secret}}\n`);
    expect(found.code).toBe(1);
    const subjects = found.of('configuration').map(({ subject }) => subject);
    expect(subjects).toEqual([
      expect.stringMatching(/reconciler\.yaml:2 {2}metalakse$/),
      expect.stringMatching(/:3 {2}reconcile\.misses$/),
      expect.stringMatching(/:4 {2}temporal\.apiKey$/),
    ]);
    expect(found.of('api')).toMatchObject([{ state: 'skipped' }]);
  });

  test('nothing configured and nothing running is nothing wrong', async () => {
    const found = await doctor('');
    expect([found.code, found.wrong]).toEqual([0, 0]);
    expect(found.of('temporal')).toMatchObject([{ state: 'skipped', text: expect.stringContaining('`up` runs one') }]);
    expect(found.of('ledger')).toMatchObject([{ state: 'skipped', text: expect.stringContaining('not there yet') }]);
    expect(found.of('credentials')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('may do everything') },
    ]);
  });

  test('half a deployment is told', async () => {
    const found = await doctor('ledger: {url: "postgresql://me@127.0.0.1:1/db"}');
    expect(found.of('configuration')).toContainEqual(
      expect.objectContaining({ subject: 'registry.url', state: 'warning' }),
    );
    expect(found.of('ledger')).toMatchObject([{ state: 'wrong', text: expect.stringContaining('ECONNREFUSED') }]);
  });

  test('who has a token, when the certificate ends, and that an issuer publishes no keys', async () => {
    const folder = await scratchFolder();
    const { certificate, key } = await selfSigned(folder, 'localhost', undefined);
    const token = join(folder, 'token');
    await writeFile(token, secret);
    const peer = await httpPeer();
    onTestFinished(peer.close);
    const found = await doctor(`
server: {port: ${await refusingPort()}, tls: {certFile: ${certificate}, keyFile: ${key}}}
auth:
  tokens: [{name: ci, token: {file: ${token}}, roles: [operator]}]
  jwt: {issuer: "https://issuer.example", audience: us, jwksUrl: "http://127.0.0.1:${peer.port}/keys"}
`);
    expect(found.of('credentials')).toMatchObject([
      { subject: 'tokens', state: 'ok', text: 'ci (operator)' },
      { subject: 'auth.jwt', state: 'wrong', text: expect.stringContaining('status 400') },
      { subject: 'server.tls', state: 'warning', text: expect.stringContaining('the certificate ends on') },
    ]);
    expect(found.code).toBe(1);
  });
});

describe('databases and sources', () => {
  let host: Awaited<ReturnType<typeof pgliteHost>>;
  beforeAll(async () => {
    host = await pgliteHost();
    await host.sql('create schema sales; create table sales.orders (id int)');
  });
  afterAll(() => host.close());

  test('a database that nobody has set up is looked at and left as it is', async () => {
    const before = await host.db.query('select count(*) as n from pg_class');
    const found = await doctor(
      `ledger: {url: "postgresql://postgres@127.0.0.1:${host.port}/postgres?sslmode=disable"}`,
    );
    expect(found.of('ledger')).toMatchObject([
      { state: 'ok', text: expect.stringMatching(/^PostgreSQL \d+.* as postgres; 0 tables of ours/) },
      { subject: 'migrations', state: 'warning', text: 'not set up yet' },
      { subject: 'rights', state: 'warning', text: expect.stringContaining('is a superuser') },
    ]);
    expect(await host.db.query('select count(*) as n from pg_class')).toEqual(before);
  });

  test('a source tells whom it takes us for, what it shows and which rights are too many; one that is away is wrong', async () => {
    const silent = await silentPeer();
    onTestFinished(silent.close);
    const found = await doctor(`
metalakes:
  lake:
    catalogs:
      good: {provider: postgresql, connection: {host: 127.0.0.1, port: ${host.port}, database: postgres, user: postgres, sslmode: disable}}
      away: {provider: postgresql, connection: {host: 127.0.0.1, port: ${await refusingPort()}, database: db, user: me, sslmode: disable}}
      mute: {provider: postgresql, connection: {host: 127.0.0.1, port: ${silent.port}, database: db, user: me, sslmode: disable}}
`);
    expect(found.code).toBe(1);
    const of = (name: string) => found.of('sources').filter(({ subject }) => subject === `lake/${name}`);
    expect(of('good')).toMatchObject([
      {
        state: 'ok',
        text: expect.stringMatching(/takes us for postgres; \d+ schemas, \d+ tables and views; controls/),
      },
      { state: 'warning', text: 'postgres is a superuser', mend: expect.stringContaining('may connect') },
    ]);
    expect(of('away')).toMatchObject([{ state: 'wrong', text: expect.stringContaining('ECONNREFUSED') }]);
    expect(of('mute')).toMatchObject([{ state: 'wrong', text: expect.stringContaining('within 5000 ms') }]);
    await expect.poll(() => silent.open()).toBe(0);
  });
});

describe('the API', () => {
  test('is asked how it is and how its catalogs stand', async () => {
    const at = await openTestLedger();
    onTestFinished(() => at.close());
    const house = await openCliHouse(at);
    onTestFinished(() => house.close());
    const found = await doctor('', '--api', house.url);
    const told = found.of('api').map(({ state, text }) => `${state}: ${text}`);
    expect(told[0]).toMatch(/^ok: answers; version /);
    expect(told).toContainEqual(expect.stringMatching(/^ok: shows [1-9]\d* catalogs$/));
  });

  test('is wrong where somebody named it and it is silent, or something else', async () => {
    const peer = await httpPeer();
    onTestFinished(peer.close);
    for (const port of [peer.port, await refusingPort()]) {
      const found = await doctor('', '--api', `http://127.0.0.1:${port}`);
      expect([found.code, found.of('api')]).toMatchObject([1, [{ state: 'wrong' }]]);
    }
  });

  test('an address that is none is a wrong command line', async () => {
    const { code, err } = await runCli(['doctor', '--api', 'nowhere'], 'http://127.0.0.1:1');
    expect([code, err]).toEqual([2, expect.stringContaining('is no address of an API')]);
  });
});

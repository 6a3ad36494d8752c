import { createServer, type Server } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ProbeTarget } from '../../src/domain/verdict.ts';
import { makingOf } from '../../src/main/demo/catalog-plan.ts';
import { runStatements } from '../../src/main/demo/demo-connection.ts';
import { shopPlan } from '../../src/main/demo/shop-plan.ts';
import { type DemoCatalog, type DemoSources, startDemoSources } from '../../src/main/demo/start-demo-sources.ts';
import { openPostgresSource } from '../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../src/sources/source.ts';

const known: readonly ProbeTarget[] = [{ path: ['sales', 'orders'], kind: 'table' }];
const anyPort = { shop: 0, analytics: 0 };

/** Making a cluster takes four seconds of one processor, and ten times that where many tests share it. */
const makingMs = 240_000;
/** Two clusters that are there open in a second, on the same terms. */
const openingMs = 60_000;

let dataDir: string;
let sources: DemoSources;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'catalog-reconciler-demo-'));
  sources = await startDemoSources({ dataDir, wishedPorts: anyPort });
  await runStatements(sources.connections.shop, makingOf(shopPlan));
}, makingMs);

afterAll(async () => {
  await sources?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('each catalog is answered by the database that it names, and the two are told apart', async () => {
  const shop = await sourceOf('shop').check(known, soon());
  const analytics = await sourceOf('analytics').check([], soon());
  expect(shop.controls.known[0]?.answer).toBe('present');
  expect(shop.principal).toBe(sources.connections.shop.settings['user']);
  expect(shop.fingerprint).not.toBe(analytics.fingerprint);
});

test('nobody listens where the source of offline should be', async () => {
  await expect(sourceOf('offline').check([], soon())).rejects.toMatchObject({ type: 'SourceUnreachable' });
});

test('four lanes at once, each with names of its own, get the answers to their own questions', async () => {
  const source = sourceOf('shop');
  const present = shopPlan.objects.map(({ kind, path }): ProbeTarget => ({ kind, path }));
  const lanes = Array.from({ length: 32 }, (_, lane) =>
    present.map((target, index): ProbeTarget => (index % 4 === lane % 4 ? nowhere(target) : target)),
  );
  const batches = await Promise.all(lanes.map((targets) => source.probe(targets, known, soon())));
  for (const [lane, { answers }] of batches.entries()) {
    expect(answers.map(({ answer }) => answer === 'present')).toEqual(
      present.map((_, index) => index % 4 !== lane % 4),
    );
  }
});

test('a question in pieces is not answered with what another client asked in between', async () => {
  const { connection } = await rawClient();
  const parsed = once(connection, 'parseComplete');
  connection.parse({ text: "select 'my own answer'" });
  connection.flush();
  await parsed;
  const between = askOnce("select 'an answer to somebody else' where $1::text = 'x'", ['x']);
  // Another server answers only after this one has received what was sent to it before.
  await sourceOf('analytics').check([], soon());
  const answered = once(connection, 'dataRow');
  connection.bind({});
  connection.execute({});
  connection.sync();
  expect((await answered).fields.map(String)).toEqual(['my own answer']);
  expect(await between).toEqual([['an answer to somebody else']]);
});

test('long questions and short ones of several clients at once get their own answers', async () => {
  const pool = new pg.Pool({ ...clientSettings(), max: 4 });
  onTestFinished(() => pool.end());
  const rounds = Array.from({ length: 40 }, (_, round) => round);
  const answers = await Promise.all(
    rounds.map(async (round) => {
      const said = Array.from({ length: round % 2 === 0 ? 1 : 4_000 }, (_, index) => `said ${index} in ${round}`);
      const text = `select ${round} as round, said from unnest($1::text[]) said`;
      const { rows } = await pool.query<{ round: number; said: string }>(text, [said]);
      return rows.every((row, index) => row.round === round && row.said === said[index]) && rows.length === said.length;
    }),
  );
  expect(answers.filter((own) => !own)).toEqual([]);
});

test.each([
  ['asked half a question', 'select 1'],
  ['asked half a question, and a wrong one', 'selec 1'],
])('a client that %s and left does not keep the others waiting', async (_what, text) => {
  const { connection } = await rawClient();
  const heard = once(connection.stream, 'data');
  connection.parse({ text });
  connection.flush();
  await heard;
  const asked = sourceOf('shop').check(known, soon());
  connection.stream.destroy();
  expect((await asked).controls.known[0]?.answer).toBe('present');
});

test('what a client did in a transaction that it left open did not happen', async () => {
  const { client, connection } = await rawClient();
  await client.query('begin; drop table sales.orders cascade');
  const asked = sourceOf('shop').check(known, soon());
  connection.stream.destroy();
  expect((await asked).controls.known[0]?.answer).toBe('present');
});

test('stops in time although clients stay, and the next start has everything at the same ports', {
  timeout: openingMs,
}, async () => {
  const before = sources.connections;
  const source = sourceOf('shop');
  const idle = await source.check(known, soon());
  const busy = new pg.Client(clientSettings());
  busy.on('error', () => undefined);
  await busy.connect();
  await busy.query('begin');
  const began = performance.now();
  await sources.stop();
  expect(performance.now() - began).toBeLessThan(2_000);
  sources = await startDemoSources({ dataDir });
  expect(sources.connections).toEqual(before);
  expect((await sourceOf('shop').check(known, soon())).fingerprint).toBe(idle.fingerprint);
});

test('where its port is taken a source listens on another one, and remembers that', {
  timeout: openingMs,
}, async () => {
  await sources.stop();
  const { port } = sources.connections.shop.settings;
  const other = await occupy(Number(port));
  sources = await startDemoSources({ dataDir });
  const moved = sources.connections.shop.settings['port'];
  expect(moved).not.toBe(port);
  await sources.stop();
  await new Promise((resolve) => other.close(resolve));
  sources = await startDemoSources({ dataDir });
  expect(sources.connections.shop.settings['port']).toBe(moved);
});

test('sources do not move to a lent server, where nothing of them is', async () => {
  const demoSourceUrl = 'postgresql://somebody@127.0.0.1:1/postgres';
  await expect(startDemoSources({ dataDir, demoSourceUrl })).rejects.toThrow(/has its sources in this folder/);
});

/** What the driver keeps to itself; a client that behaves badly needs it. */
interface RawConnection extends NodeJS.EventEmitter {
  readonly stream: NodeJS.EventEmitter & { destroy(): void };
  parse(query: { readonly text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
  flush(): void;
  sync(): void;
}

async function rawClient(): Promise<{ readonly client: pg.Client; readonly connection: RawConnection }> {
  const client = new pg.Client(clientSettings());
  client.on('error', () => undefined); // the driver takes answers that it did not ask for as errors
  await client.connect();
  const { connection } = client as unknown as { readonly connection: RawConnection };
  onTestFinished(() => connection.stream.destroy());
  return { client, connection };
}

async function askOnce(text: string, values: readonly string[]): Promise<unknown[][]> {
  const client = new pg.Client(clientSettings());
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  await client.end();
  return rows;
}

function once(emitter: NodeJS.EventEmitter, event: string): Promise<{ readonly fields: readonly unknown[] }> {
  return new Promise((resolve) => emitter.once(event, resolve));
}

function sourceOf(catalog: DemoCatalog): Source {
  const { settings, secrets } = sources.connections[catalog];
  const source = openPostgresSource(settings, secrets);
  onTestFinished(() => source.close());
  return source;
}

function clientSettings() {
  const { host, port, database, user } = sources.connections.shop.settings;
  return { host, port: Number(port), database, user, password: 'any', connectionTimeoutMillis: 10_000 };
}

function nowhere({ kind, path }: ProbeTarget): ProbeTarget {
  const [first, ...rest] = path;
  return { kind, path: rest.length === 0 ? [`no ${first}`] : [first, `no ${rest[0]}`] };
}

/** Long enough for a machine that does other things as well. */
function soon(): AbortSignal {
  return AbortSignal.timeout(15_000);
}

async function occupy(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

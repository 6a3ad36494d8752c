import fc from 'fast-check';
import { escapeIdentifier } from 'pg';
import type { Path } from '../../../src/domain/path.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import { openPostgresSource } from '../../../src/sources/postgres/open-postgres-source.ts';
import type { Maker, SourceWorld } from '../source-world.ts';

export interface PostgresHost {
  readonly port: number;
  readonly password: string;
  /** Runs statements as a superuser, by another way than the adapter. */
  readonly sql: (text: string) => Promise<unknown>;
  readonly breakDown?: () => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

const patienceMs = 400; // loopback answers within a few milliseconds

/** The contract suite's world over any server that speaks PostgreSQL. */
export async function postgresWorld(host: PostgresHost): Promise<SourceWorld> {
  const { sql, port, password } = host;
  await sql('CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing');
  const settings = { host: '127.0.0.1', port: String(port), database: 'postgres', user: 'postgres' };
  return {
    open: () => openPostgresSource(settings, { password }),
    network: {
      openAt: (other) =>
        openPostgresSource({ ...settings, port: String(other) }, { password, timeouts: { connectMs: patienceMs } }),
      patienceMs: patienceMs * 2, // a third call may wait for one of the first two
      port,
    },
    secret: password,
    makers: [
      maker('table', 'table', (name) => `CREATE TABLE ${name} (id int)`),
      maker('view', 'view', (name) => `CREATE VIEW ${name} AS SELECT 1 AS id`),
      maker('view', 'materialized-view', (name) => `CREATE MATERIALIZED VIEW ${name} AS SELECT 1 AS id`),
      maker('table', 'partitioned-table', (name) => `CREATE TABLE ${name} (id int) PARTITION BY LIST (id)`),
      maker('table', 'foreign-table', (name) => `CREATE FOREIGN TABLE ${name} (id int) SERVER nowhere`),
    ],
    container: {
      kind: 'schema',
      found: 'schema',
      create: ([name]) => sql(`CREATE SCHEMA ${escapeIdentifier(name)}`).then(() => {}),
    },
    drop: (target) => dropObject(sql, target),
    rename: (target, to) => renameObject(sql, target, to),
    ...(host.breakDown === undefined ? {} : { breakDown: host.breakDown }),
    names: oddNames,
    twins: [
      ['Orders', 'orders'],
      ['caf\u00e9', 'cafe\u0301'],
      ['blank', 'blank '],
      ['a.b', 'a_b'],
      ['50%off', '50_off'],
      ['"quoted"', 'quoted'],
    ],
    doubtful: doubtful(),
    close: host.close,
  };

  function maker(kind: Maker['kind'], found: Maker['found'], statement: (name: string) => string): Maker {
    return { kind, found, create: async (path) => void (await sql(statement(quoted(path)))) };
  }
}

export function quoted(path: Path): string {
  return path.map(escapeIdentifier).join('.');
}

const oddPieces = [
  'a',
  'B',
  '.',
  '"',
  "'",
  '%',
  '/',
  '\\',
  ' ',
  '\n',
  '\u0001',
  '$',
  '-',
  'é',
  'e\u0301',
  'ß',
  '日',
  '😀',
];
const oddNames = fc
  .oneof(
    fc.array(fc.constantFrom(...oddPieces), { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.constantFrom('a'.repeat(63), '日'.repeat(21), 'select', 'NULL', '{}', '{a,b}', 'pg_class', '2%2e'),
  )
  .filter((name) => name !== '' && Buffer.byteLength(name) <= 63 && !/[\0\ufffd\p{Surrogate}]/u.test(name));

function doubtful(): SourceWorld['doubtful'] {
  const table = (...path: string[]) => ({ kind: 'table', path: path as unknown as Path }) as const;
  return [
    { target: table('public', 'nul\0inside'), code: 'name-holds-nul' },
    { target: table('public', 'lone\ud800surrogate'), code: 'name-not-well-formed' },
    { target: table('public', 'replaced\ufffd'), code: 'name-holds-replacement' },
    { target: table('public', 'a'.repeat(64)), code: 'name-too-long' },
    { target: table('public', `${'日'.repeat(21)}a`), code: 'name-too-long' },
    { target: table('public', ''), code: 'name-empty' },
    { target: table('', 'orders'), code: 'name-empty' },
    { target: table('orders'), code: 'path-not-representable' },
    { target: table('postgres', 'public', 'orders'), code: 'path-not-representable' },
    { target: { kind: 'view', path: ['orders'] }, code: 'path-not-representable' },
    { target: { kind: 'schema', path: ['postgres', 'public'] }, code: 'path-not-representable' },
    { target: { kind: 'topic', path: ['orders'] }, code: 'path-not-representable' },
  ];
}

async function dropObject(sql: PostgresHost['sql'], { kind, path }: ProbeTarget): Promise<void> {
  await sql(kind === 'schema' ? `DROP SCHEMA ${quoted(path)} CASCADE` : `DROP ${kind} ${quoted(path)}`);
}

async function renameObject(sql: PostgresHost['sql'], { kind, path }: ProbeTarget, to: Path): Promise<void> {
  await sql(`ALTER ${kind} ${quoted(path)} RENAME TO ${escapeIdentifier(to.at(-1) ?? '')}`);
}

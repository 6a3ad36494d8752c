import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../src/config/load-config.ts';
import type { CatalogName } from '../src/contract/names.ts';
import { reconciler } from '../src/domain/actor.ts';
import { applyCatalogs } from '../src/main/configured-catalogs.ts';
import { importCatalog } from '../src/main/import-catalog.ts';
import { applyPolicies } from '../src/main/policies.ts';
import { openServices, type Services } from '../src/main/services.ts';
import type { PostgresServer } from '../test/support/postgres-server.ts';

const tablesASchema = 2_000;
/** Schemas of each source, with so many tables each. */
const sources = { large: [50, tablesASchema], small: [5, tablesASchema], tiny: [1, 100] } as const;
const metalake = 'bench';

/** Two sources in one PostgreSQL, everything in them registered, and the databases of ours beside them. */
export interface Estate {
  readonly postgres: PostgresServer;
  readonly services: Services;
  /** 100,000 tables. */
  readonly large: CatalogName;
  /** 10,000 tables. */
  readonly small: CatalogName;
  /** A hundred catalogs of a hundred tables each, on one source. */
  readonly many: readonly CatalogName[];
  /** 1,000,000 views, made and registered when somebody asks for them, as that takes minutes. */
  million(): Promise<CatalogName>;
  /** The configuration file that `services` were opened with, and the variables that it refers to. */
  readonly config: { readonly file: string; readonly env: Readonly<Record<string, string>> };
  close(): Promise<void>;
}

export const ledgerDatabase = 'ledger';

export async function openEstate(postgres: PostgresServer, tell: (line: string) => void): Promise<Estate> {
  for (const database of [ledgerDatabase, 'registry', 'million', ...Object.keys(sources)])
    await postgres.sql(`create database ${database}`);
  for (const [source, [schemas, tables]] of Object.entries(sources)) {
    tell(`creating ${schemas * tables} tables in database ${source}`);
    await createTables(postgres, source, schemas, tables);
  }
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-bench-'));
  const config = { file: join(folder, 'config.yaml'), env: addresses(postgres) };
  await writeFile(config.file, stringify(configuration));
  const services = await openServices(loadConfig(config), undefined);
  await applyCatalogs(services, services.config);
  const register = async (catalog: string): Promise<CatalogName> => {
    const name = { metalake, catalog };
    const { added } = await importCatalog(services, name, reconciler);
    if (!manyNames.includes(catalog)) tell(`registered ${added} objects in catalog ${catalog}`);
    return name;
  };
  const large = await register('large');
  const small = await register('small');
  const many: CatalogName[] = [];
  for (const catalog of manyNames) many.push(await register(catalog));
  await applyPolicies(services, reconciler);
  const close = async (): Promise<void> => {
    await services.close();
    await rm(folder, { recursive: true, force: true });
  };
  let million: Promise<CatalogName> | undefined;
  const fillMillion = async (): Promise<CatalogName> => {
    tell('making a million views in database million');
    await makeMillionViews(postgres);
    return register('million');
  };
  return { postgres, services, large, small, many, million: () => (million ??= fillMillion()), config, close };
}

async function createTables(postgres: PostgresServer, database: string, schemas: number, each: number): Promise<void> {
  await postgres.session(database, async (client) => {
    for (let schema = 0; schema < schemas; schema += 1) {
      const tables = Array.from({ length: each }, (_, table) => `create table s${schema}.t${table}()`);
      await client.query([`create schema s${schema}`, ...tables].join(';'));
    }
    await vacuum(client);
  });
}

/**
 * Five hundred schemas of two thousand views. To create them one by one takes an hour; copies of the row that one view
 * has in `pg_class` are all that a probe or a listing reads.
 */
async function makeMillionViews(postgres: PostgresServer): Promise<void> {
  await postgres.session('million', async (client) => {
    await client.query('set allow_system_table_mods = on; create view public.model as select 1 as one');
    await client.query(`do $$ begin for n in 0..499 loop execute format('create schema s%s', n); end loop; end $$`);
    for (let schema = 0; schema < 500; schema += 1) {
      await client.query(
        `insert into pg_catalog.pg_class select copy.*
         from pg_catalog.pg_class model, generate_series(1, ${tablesASchema}) n,
         lateral jsonb_populate_record(model, jsonb_build_object(
           'oid', 100000000 + ${schema * tablesASchema} + n, 'relname', 'v' || n,
           'relnamespace', (select oid from pg_catalog.pg_namespace where nspname = 's${schema}'))) copy
         where model.oid = 'public.model'::regclass`,
      );
    }
    await vacuum(client);
  });
}

/** As it is in any source that was not created a minute ago. */
async function vacuum(client: { query(text: string): Promise<unknown> }): Promise<void> {
  for (const table of ['pg_class', 'pg_namespace', 'pg_type', 'pg_attribute', 'pg_depend'])
    await client.query(`vacuum (analyze) pg_catalog.${table}`);
}

function addresses(postgres: PostgresServer): Readonly<Record<string, string>> {
  return {
    BENCH_LEDGER: postgres.url(ledgerDatabase),
    BENCH_REGISTRY: postgres.url('registry'),
    BENCH_LARGE: `${postgres.url('large')}?sslmode=disable`,
    BENCH_SMALL: `${postgres.url('small')}?sslmode=disable`,
    BENCH_TINY: `${postgres.url('tiny')}?sslmode=disable`,
    BENCH_MILLION: `${postgres.url('million')}?sslmode=disable`,
  };
}

const over = (variable: string) => ({ provider: 'postgresql', connection: { url: { env: variable } } });
const manyNames = Array.from({ length: 100 }, (_, number) => `many${number}`);

const configuration = {
  logLevel: 'error',
  ledger: { url: { env: 'BENCH_LEDGER' } },
  registry: { url: { env: 'BENCH_REGISTRY' } },
  metalakes: {
    [metalake]: {
      catalogs: {
        large: over('BENCH_LARGE'),
        small: over('BENCH_SMALL'),
        million: over('BENCH_MILLION'),
        // days apart, so that they run only when somebody triggers them, all at once
        ...Object.fromEntries(
          manyNames.map((each) => [each, { ...over('BENCH_TINY'), reconcile: { enabled: true, cron: '0 0 1 1 *' } }]),
        ),
      },
    },
  },
};

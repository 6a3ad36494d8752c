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
const schemas = { large: 50, small: 5 } as const;

/** Two sources in one PostgreSQL, everything in them registered, and the databases of ours beside them. */
export interface Estate {
  readonly postgres: PostgresServer;
  readonly services: Services;
  /** 100,000 tables. */
  readonly large: CatalogName;
  /** 10,000 tables. */
  readonly small: CatalogName;
  /** The configuration file that `services` were opened with, and the variables that it refers to. */
  readonly config: { readonly file: string; readonly env: Readonly<Record<string, string>> };
  close(): Promise<void>;
}

export const ledgerDatabase = 'ledger';

export async function openEstate(postgres: PostgresServer, tell: (line: string) => void): Promise<Estate> {
  for (const database of [ledgerDatabase, 'registry', 'large', 'small'])
    await postgres.sql(`create database ${database}`);
  for (const source of ['large', 'small'] as const) {
    tell(`creating ${schemas[source] * tablesASchema} tables in database ${source}`);
    await createTables(postgres, source, schemas[source]);
  }
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-bench-'));
  const config = { file: join(folder, 'config.yaml'), env: addresses(postgres) };
  await writeFile(config.file, stringify(configuration));
  const services = await openServices(loadConfig(config), undefined);
  await applyCatalogs(services, services.config);
  const [large, small] = (['large', 'small'] as const).map((catalog) => ({ metalake: 'bench', catalog }));
  if (large === undefined || small === undefined) throw new TypeError('two catalogs were named');
  for (const name of [large, small]) {
    const { added } = await importCatalog(services, name, reconciler);
    tell(`registered ${added} objects in catalog ${name.catalog}`);
  }
  await applyPolicies(services, reconciler);
  const close = async (): Promise<void> => {
    await services.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { postgres, services, large, small, config, close };
}

async function createTables(postgres: PostgresServer, database: string, count: number): Promise<void> {
  await postgres.session(database, async (client) => {
    for (let schema = 0; schema < count; schema += 1) {
      const tables = Array.from({ length: tablesASchema }, (_, table) => `create table s${schema}.t${table}()`);
      await client.query([`create schema s${schema}`, ...tables].join(';'));
    }
    // As they are in any source that was not created a minute ago.
    for (const table of ['pg_class', 'pg_namespace', 'pg_type', 'pg_attribute', 'pg_depend']) {
      await client.query(`vacuum (analyze) pg_catalog.${table}`);
    }
  });
}

function addresses(postgres: PostgresServer): Readonly<Record<string, string>> {
  return {
    BENCH_LEDGER: postgres.url(ledgerDatabase),
    BENCH_REGISTRY: postgres.url('registry'),
    BENCH_LARGE: `${postgres.url('large')}?sslmode=disable`,
    BENCH_SMALL: `${postgres.url('small')}?sslmode=disable`,
  };
}

const configuration = {
  logLevel: 'error',
  ledger: { url: { env: 'BENCH_LEDGER' } },
  registry: { url: { env: 'BENCH_REGISTRY' } },
  metalakes: {
    bench: {
      catalogs: {
        large: { provider: 'postgresql', connection: { url: { env: 'BENCH_LARGE' } } },
        small: { provider: 'postgresql', connection: { url: { env: 'BENCH_SMALL' } } },
      },
    },
  },
};

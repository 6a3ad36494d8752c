import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { type DevServer, startDevServer } from '../../src/temporal/dev-server.ts';
import { end, wish } from '../support/own-dev-server.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { type CliProcess, startCli } from './cli-process.ts';

/** A start of a process, or of three at once, on a busy machine. */
export const startMs = 90_000;

/** Pairs with a cable of their own; each source has one, too. */
const pairs = ['worker–ledger', 'worker–registry', 'worker–Temporal', 'API–ledger', 'API–Temporal'] as const;
export type Pair = (typeof pairs)[number];

/**
 * The parts as one deploys them: an API, two workers, PostgreSQL with ledger and registry, a Temporal server on disk, and
 * another PostgreSQL with a database for each catalog as its source. Between every two of them is a cable that can be cut.
 */
export interface Deployment {
  readonly catalogs: readonly string[];
  readonly cables: Readonly<Record<Pair, TcpProxy>>;
  source(catalog: string): TcpProxy;
  readonly api: string;
  readonly ledgerServer: PostgresServer;
  /** A statement in the ledger's database, past all cables. */
  ledger(text: string): Promise<Record<string, unknown>[]>;
  registry(text: string): Promise<Record<string, unknown>[]>;
  /** A statement at the source of a catalog, past all cables. */
  atSource(catalog: string, text: string): Promise<Record<string, unknown>[]>;
  /** Runs a command with the settings of the API, and others besides; answers what it printed as its result. */
  command(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly out: string }>;
  startApi(): Promise<void>;
  startWorkers(): Promise<void>;
  killApi(): Promise<void>;
  killWorkers(): Promise<void>;
  /** Asks one of the workers to leave, and starts another in its place. */
  replaceWorker(which: 0 | 1): Promise<void>;
  killTemporal(): Promise<void>;
  startTemporal(): Promise<void>;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  readonly catalogs: readonly string[];
  /** What each source holds in the beginning. */
  readonly tables: readonly string[];
  /** Lines of the configuration's `reconcile`. */
  readonly reconcile: string;
}

/** Starts all but the API and the workers. What was started ends with `close`, or when the rest cannot be started. */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const endings: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const ending of endings.splice(0).toReversed()) await ending();
  };
  try {
    return await deploy(options, (ending) => void endings.push(ending), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param atLast takes what ends something that was started; the last comes first */
async function deploy(
  { catalogs, tables, reconcile }: DeploymentOptions,
  atLast: (ending: () => Promise<void>) => void,
  close: () => Promise<void>,
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  atLast(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const temporalFolder = join(folder, 'temporal');
  const startPostgres = async (): Promise<PostgresServer> => {
    const server = await PostgresServer.start();
    atLast(() => server.close());
    return server;
  };
  const layCable = async (target: number | (() => number)): Promise<TcpProxy> => {
    const cable = await TcpProxy.before(target);
    atLast(() => cable.close());
    return cable;
  };
  const [ledgerServer, sourceServer] = await Promise.all([startPostgres(), startPostgres()]);
  let temporal: DevServer | undefined = await startDevServer(wish(temporalFolder));
  atLast(async () => {
    if (temporal !== undefined) await end(temporal);
  });
  const temporalPort = (): number => temporal?.port ?? 1; // nobody listens on 1, as nobody does after a kill

  await ledgerServer.sql('create database ledger');
  await ledgerServer.sql('create database registry');
  await sourceServer.sql('create database model');
  await sourceServer.sql(
    `create schema app; ${tables.map((name) => `create table app.${name} (id int);`).join(' ')}`,
    'model',
  );
  for (const catalog of catalogs) await sourceServer.sql(`create database "${catalog}" template model`);

  const targets = {
    'worker–ledger': ledgerServer.port,
    'worker–registry': ledgerServer.port,
    'worker–Temporal': temporalPort,
    'API–ledger': ledgerServer.port,
    'API–Temporal': temporalPort,
  } satisfies Record<Pair, number | (() => number)>;
  const laid = await Promise.all(pairs.map(async (pair) => [pair, await layCable(targets[pair])] as const));
  const cables = Object.fromEntries(laid) as Record<Pair, TcpProxy>;
  const sources = new Map<string, TcpProxy>();
  for (const catalog of catalogs) sources.set(catalog, await layCable(sourceServer.port));
  const source = (catalog: string): TcpProxy => {
    const cable = sources.get(catalog);
    if (cable === undefined) throw new Error(`no catalog ${catalog}`);
    return cable;
  };

  const config = join(folder, 'reconciler.yaml');
  const entries = catalogs.map(
    (catalog) => `
      ${catalog}:
        provider: postgresql
        connection: {host: 127.0.0.1, port: ${source(catalog).port}, database: ${catalog}, user: postgres, sslmode: disable}
        password: {env: SOURCE_PASSWORD}`,
  );
  await writeFile(config, `reconcile: ${reconcile}\nmetalakes:\n  lake:\n    catalogs:${entries.join('')}\n`);
  const through = (cable: TcpProxy, database: string): string =>
    ledgerServer.url(database).replace(`:${ledgerServer.port}/`, `:${cable.port}/`);
  const apiPort = await getPort({ host: '127.0.0.1' });
  const shared = {
    RECONCILER_CONFIG: config,
    RECONCILER_SERVER_PORT: String(apiPort),
    TEMPORAL_NAMESPACE: 'default',
    SOURCE_PASSWORD: sourceServer.password,
  };
  const ofApi = {
    ...shared,
    RECONCILER_LEDGER_URL: through(cables['API–ledger'], 'ledger'),
    RECONCILER_REGISTRY_URL: ledgerServer.url('registry'),
    TEMPORAL_ADDRESS: `127.0.0.1:${cables['API–Temporal'].port}`,
  };
  const ofWorker = {
    ...shared,
    RECONCILER_LEDGER_URL: through(cables['worker–ledger'], 'ledger'),
    RECONCILER_REGISTRY_URL: through(cables['worker–registry'], 'registry'),
    TEMPORAL_ADDRESS: `127.0.0.1:${cables['worker–Temporal'].port}`,
  };

  let api: CliProcess | undefined;
  const workers: CliProcess[] = [];
  const startWorker = async (): Promise<CliProcess> => {
    const worker = startCli(['worker'], ofWorker, atLast);
    await worker.says(/the worker works/, startMs);
    return worker;
  };
  const applied = await startCli(['schedules', 'apply'], ofApi, atLast).exitCode(startMs);
  if (applied !== 0) throw new Error('the schedules could not be applied');

  return {
    catalogs,
    cables,
    source,
    api: `http://127.0.0.1:${apiPort}`,
    ledgerServer,
    ledger: (text) => ledgerServer.sql(text, 'ledger'),
    registry: (text) => ledgerServer.sql(text, 'registry'),
    atSource: (catalog, text) => sourceServer.sql(text, catalog),
    async command(args, env = {}) {
      const command = startCli(args, { ...ofApi, ...env }, atLast);
      const code = await command.exitCode(startMs);
      return { code, out: command.result() };
    },
    async startApi() {
      api = startCli(['api'], ofApi, atLast);
      await api.says(/the API listens/, startMs);
    },
    async startWorkers() {
      workers.push(...(await Promise.all([startWorker(), startWorker()])));
    },
    async killApi() {
      await api?.kill();
    },
    async killWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
    },
    async replaceWorker(which) {
      const { code } = (await workers[which]?.stop('SIGTERM')) ?? {};
      if (code !== 0) throw new Error(`the worker ended with ${code}:\n${workers[which]?.output()}`);
      workers[which] = await startWorker();
    },
    async killTemporal() {
      if (temporal !== undefined) await end(temporal);
      temporal = undefined;
    },
    async startTemporal() {
      temporal = await startDevServer(wish(temporalFolder));
    },
    close,
  };
}

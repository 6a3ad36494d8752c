import { join } from 'node:path';
import { borrowServer } from './borrowed-server.ts';
import type { SourcedCatalog } from './catalog-plan.ts';
import type { DemoConnection } from './demo-connection.ts';
import { DemoStateFile, demoFolder } from './demo-state.ts';
import { type EmbeddedDatabase, makeEmbeddedDatabases } from '../embedded-databases.ts';
import { type EmbeddedSource, loopback, startEmbeddedSource } from './embedded-source.ts';
import { silentPort } from './silent-port.ts';

/** Catalogs of the demo, in the order in which they are shown; `offline` has nothing behind it. */
export const demoCatalogs = ['shop', 'analytics', 'offline'] as const;
export type DemoCatalog = (typeof demoCatalogs)[number];

/** Outside the range from which systems hand out ports by themselves, so that they are free again next time. */
const firstPorts = { shop: 15432, analytics: 15433 } as const satisfies Record<SourcedCatalog, number>;

export interface DemoSources {
  readonly connections: Readonly<Record<DemoCatalog, DemoConnection>>;
  /** Where a person can change the source of `shop` by hand, as psql takes it; absent where that needs a secret. */
  readonly shellAddress?: string;
  /** How far the demo has come. */
  readonly state: DemoStateFile;
  /** Ends what runs in this process, within two seconds. */
  stop(): Promise<void>;
}

export interface DemoSourcesOptions {
  readonly dataDir: string;
  /** A real PostgreSQL that holds the sources instead. */
  readonly demoSourceUrl?: string;
  /** Where to listen at the first start; later ones ask for the same ports again. */
  readonly wishedPorts?: Readonly<Partial<Record<SourcedCatalog, number>>>;
}

/** The databases that hold the sources where nobody lends a server; made together with others they take less time. */
export function embeddedDemoDatabases(dataDir: string): Readonly<Record<SourcedCatalog, EmbeddedDatabase>> {
  const named = (catalog: SourcedCatalog) => ({ folder: join(demoFolder(dataDir), catalog), database: catalog });
  return { shop: named('shop'), analytics: named('analytics') };
}

/**
 * Starts a source for each catalog of the demo, each one a database of its own. Throws `DemoServerRefused`, and an error
 * where the demo of this data folder lives elsewhere.
 */
export async function startDemoSources(options: DemoSourcesOptions): Promise<DemoSources> {
  const state = await DemoStateFile.open(options.dataDir);
  const offline = await silentPort(state.state.ports['offline']);
  return options.demoSourceUrl === undefined
    ? embedded(options, state, offline)
    : borrowed(options, options.demoSourceUrl, state, offline);
}

async function embedded(options: DemoSourcesOptions, state: DemoStateFile, offline: number): Promise<DemoSources> {
  requirePlace(state, 'embedded', options.dataDir);
  const databases = embeddedDemoDatabases(options.dataDir);
  await makeEmbeddedDatabases(Object.values(databases), join(demoFolder(options.dataDir), 'new'));
  const started: EmbeddedSource[] = [];
  const stop = async () => {
    await Promise.all(started.map((source) => source.stop()));
  };
  const start = async (catalog: SourcedCatalog): Promise<number> => {
    const wished = state.state.ports[catalog] ?? options.wishedPorts?.[catalog] ?? firstPorts[catalog];
    const source = await startEmbeddedSource(databases[catalog], wished);
    started.push(source);
    return source.port;
  };
  try {
    const ports = { shop: await start('shop'), analytics: await start('analytics'), offline };
    await state.settle({ place: 'embedded', ports });
    const connections = {
      shop: onLoopback(ports.shop, databases.shop.database),
      analytics: onLoopback(ports.analytics, databases.analytics.database),
      offline: nowhere(offline),
    };
    const { host, port, database, user } = connections.shop.settings;
    return { connections, shellAddress: `postgresql://${user}@${host}:${port}/${database}`, state, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function borrowed(
  { dataDir }: DemoSourcesOptions,
  url: string,
  state: DemoStateFile,
  offline: number,
): Promise<DemoSources> {
  const server = borrowServer(url);
  requirePlace(state, server.place, dataDir);
  const connections = {
    shop: await server.databaseFor('shop'),
    analytics: await server.databaseFor('analytics'),
    offline: nowhere(offline),
  };
  await state.settle({ place: server.place, ports: { offline } });
  return { connections, state, stop: async () => undefined };
}

function nowhere(port: number) {
  return onLoopback(port, 'warehouse');
}

/**
 * The embedded server ignores which database and user a client names, and takes any password. The source does not: it
 * insists that the database which answers is the configured one.
 */
function onLoopback(port: number, database: string) {
  const settings = { host: loopback, port: String(port), database, user: 'postgres', sslmode: 'disable' };
  return { settings, secrets: { password: 'demo' } } as const satisfies DemoConnection;
}

function requirePlace(state: DemoStateFile, place: string, dataDir: string): void {
  const known = state.state.place;
  if (known === undefined || known === place) return;
  const words = (one: string) => (one === 'embedded' ? 'in this folder' : `on the PostgreSQL at ${one}`);
  throw new Error(
    `The demo of ${dataDir} has its sources ${words(known)}, not ${words(place)}. Start as before, or with another --data-dir.`,
  );
}

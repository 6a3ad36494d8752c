import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ActivityDeps } from '../activities/deps.ts';
import type { Config, DatabaseSettings } from '../config/config.ts';
import { compilePatterns, readPattern } from '../config/patterns.ts';
import { policyFor } from '../config/policy-for.ts';
import { createLedger } from '../ledger/index.ts';
import { migrationsFolder as ledgerMigrations } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { EmbeddedRegistry } from '../registries/embedded/embedded-registry.ts';
import { EmbeddedMetalakes } from '../registries/embedded/metalakes.ts';
import { migrationsFolder as registryMigrations, migrationsTable } from '../registries/embedded/migrations-folder.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase } from './database.ts';
import type { EmbeddedDatabase } from './embedded-databases.ts';
import { queueWaits } from './queue-waits.ts';
import { observedLedger } from './observed-ledger.ts';
import { createSourceDirectory, type SourceDirectory } from './source-directory.ts';
import { stillExists } from './still-exists.ts';

/** Remembers which migrations of the ledger ran. */
export const ledgerMigrationsTable = 'ledger_migrations';

/** What every process of ours works with, whatever its part is. */
export interface Services {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly metalakes: EmbeddedMetalakes;
  /** Where the embedded registry's registrations are. */
  readonly registryDb: OpenDatabase['db'];
  readonly sources: SourceDirectory;
  readonly activityDeps: ActivityDeps;
  /** The embedded registry, one metalake of it. */
  readonly registryOf: (metalake: string) => EmbeddedRegistry;
  close(): Promise<void>;
}

/** What counts and tells. */
export interface Watch {
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Embedded databases have one door: several processes need PostgreSQL. */
export class EmbeddedNeedsOneProcess extends Error {
  override readonly name = 'EmbeddedNeedsOneProcess';
}

/**
 * Opens the databases and puts everything together.
 *
 * @param dataFolder where embedded databases live; `undefined` for a process that is one of several and must not use any
 * @param watch where rounds, removals and calls to sources are counted and told; `undefined` for a process that makes none
 */
export async function openServices(config: Config, dataFolder: string | undefined, watch?: Watch): Promise<Services> {
  const ledgerPlace = placeOf('ledger', config.ledger, dataFolder);
  const registryPlace = placeOf('registry', config.registry, dataFolder);
  const ledgerDatabase = await openDatabase(ledgerPlace, { folder: ledgerMigrations, table: ledgerMigrationsTable });
  const registryDatabase = await openDatabase(registryPlace, {
    folder: registryMigrations,
    table: migrationsTable,
  }).catch(async (error: unknown) => {
    await ledgerDatabase.close();
    throw error;
  });
  const clock = Date.now;
  const plainLedger = createLedger(ledgerDatabase.db, readPattern);
  const ledger = watch === undefined ? plainLedger : observedLedger(plainLedger, watch.metrics, watch.logger);
  const registries = new Map<string, EmbeddedRegistry>();
  const sources = createSourceDirectory({
    connectionOf: ({ metalake, catalog }) => registryOf(metalake).catalogConnection(catalog),
    probesInFlight: ({ metalake, catalog }) => policyFor(config, metalake, catalog).probesInFlight,
    ...(watch === undefined ? {} : { metrics: watch.metrics }),
  });
  const registryOf = (metalake: string): EmbeddedRegistry => {
    let registry = registries.get(metalake);
    if (registry === undefined) {
      registry = new EmbeddedRegistry({
        db: registryDatabase.db,
        metalake,
        now: clock,
        stillExists: (catalog, registration) => stillExists({ ledger, sources }, { metalake, catalog }, registration),
      });
      registries.set(metalake, registry);
    }
    return registry;
  };
  return {
    config,
    ledger,
    registryDb: registryDatabase.db,
    metalakes: new EmbeddedMetalakes({ db: registryDatabase.db, now: clock }),
    sources,
    registryOf,
    activityDeps: {
      ledger,
      registryOf,
      sourceOf: (name) => sources.sourceOf(name),
      patternsOf: compilePatterns,
      allowTemporalSignals: config.auth.allowTemporalSignals,
      clock,
      ...(watch === undefined ? {} : { waited: queueWaits(watch.metrics) }),
      hash: (text) => createHash('sha256').update(text).digest('hex'),
    },
    async close() {
      await sources.close();
      await Promise.all([ledgerDatabase.close(), registryDatabase.close()]);
    },
  };
}

/** The embedded databases that these settings call for. */
export function embeddedPlaces(config: Config, dataFolder: string): readonly EmbeddedDatabase[] {
  const wanted = (['ledger', 'registry'] as const).filter((what) => config[what] === undefined);
  return wanted.map((what) => ({ folder: join(dataFolder, what), database: 'postgres' }));
}

function placeOf(
  what: 'ledger' | 'registry',
  settings: DatabaseSettings | undefined,
  dataFolder: string | undefined,
): DatabasePlace {
  if (settings !== undefined) return { kind: 'postgres', url: settings.url.reveal(), shown: settings.shown };
  if (dataFolder !== undefined) return { kind: 'embedded', folder: join(dataFolder, what) };
  throw new EmbeddedNeedsOneProcess(
    `${what}.url is not set. An embedded database serves one process only: give a PostgreSQL address in ${what}.url, or run everything in one process with "up".`,
  );
}

import { catalogKey } from '../../api/addresses.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/problem.ts';
import { readPattern } from '../../config/patterns.ts';
import { knownControls } from '../../domain/controls.ts';
import { createLedger } from '../../ledger/index.ts';
import type { ApiOptions } from '../commands/session.ts';
import { ownerOfDataFolder } from '../data-folder.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';
import { processConfig } from '../process-config.ts';
import type { StartOptions } from '../start-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { apiFound, type ApiFound, configuredApi } from './api.ts';
import { brokenConfiguration, credentialsOf, soundConfiguration } from './configuration.ts';
import { type DatabaseFound, databaseFound } from './databases.ts';
import { type Diagnosis, diagnosing } from './diagnosis.ts';
import { type RegisteredCatalog, registeredCatalogs } from './registry.ts';
import { countOf, reportLines, summary } from './report.ts';
import { catalogsToAsk, type SourceToAsk, sourcesFound } from './sources.ts';
import { schedulesFound, temporalFound } from './temporal.ts';

export interface DoctorOptions extends StartOptions, ApiOptions {
  /** Whether an option or a variable names the API; otherwise it is looked for where the configuration puts it. */
  readonly apiNamed: boolean;
}

/**
 * `doctor`: looks at everything that a deployment is made of, from the configuration alone, and says what to do about
 * what it finds. Changes nothing, and ends in time whatever does not answer. Exits with 1 where something is wrong.
 */
export async function runDoctor(options: DoctorOptions, terminal: Terminal): Promise<ExitCode> {
  try {
    const diagnoses = await diagnose(options);
    const wrong = countOf(diagnoses, 'wrong');
    if (options.json === true) {
      terminal.json({ ok: wrong === 0, wrong, warnings: countOf(diagnoses, 'warning'), diagnoses });
    } else {
      for (const line of reportLines(diagnoses)) terminal.say(line);
      terminal.say(summary(diagnoses));
    }
    return wrong === 0 ? exitCodes.ok : exitCodes.refused;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.tell(error.message);
    return exitCodes.usage;
  }
}

async function diagnose(options: DoctorOptions): Promise<readonly Diagnosis[]> {
  let config: Config;
  try {
    config = processConfig(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { diagnoses } = await apiFound(options, options.apiNamed);
    return [...brokenConfiguration(error), ...diagnoses];
  }
  const now = Date.now();
  const [credentials, temporal, registry, api] = await Promise.all([
    credentialsOf(config, now),
    temporalFound(config, now),
    databaseFound('registry', config, (tx) => registeredCatalogs(tx, AbortSignal.timeout(readWithinMs))),
    askedApi(config, options),
  ]);
  const toAsk = catalogsToAsk(config.catalogs, registry.read ?? []);
  const ledger = await databaseFound('ledger', config, async (tx): Promise<readonly SourceToAsk[]> => {
    const { catalogs, rounds } = createLedger(tx, readPattern);
    const records = new Map((await catalogs.catalogs()).map((record) => [record.key, record]));
    const remembered: SourceToAsk[] = [];
    for (const catalog of toAsk) {
      const known = await rounds.knownObjects(catalogKey(catalog), knownControls);
      const { fingerprint } = records.get(catalogKey(catalog)) ?? {};
      remembered.push({ ...catalog, known, ...(fingerprint === undefined ? {} : { fingerprint }) });
    }
    return remembered;
  });
  const everyName = namesOf(toAsk, registry, api);
  const [sources, schedules] = await Promise.all([
    sourcesFound(ledger.read ?? toAsk.map((catalog) => ({ ...catalog, known: [] }))),
    temporal.settings === undefined ? [] : schedulesFound(config, temporal.settings, everyName),
  ]);
  return [
    ...soundConfiguration(config),
    ...credentials,
    ...temporal.diagnoses,
    ...schedules,
    ...ledger.diagnoses,
    ...registry.diagnoses,
    ...notApplied(config, registry, api),
    ...sources,
    ...unasked(config, registry, api),
    ...api.diagnoses,
  ];
}

/** Reads of a registry of thousands of catalogs take a second. */
const readWithinMs = 10_000;

async function askedApi(config: Config, options: DoctorOptions): Promise<ApiFound> {
  if (options.apiNamed) return apiFound(options, true);
  // `up` takes another port where the wished one is taken, and says so in the folder
  const owner = await ownerOfDataFolder(config.dataDir);
  return apiFound({ ...options, api: owner?.address ?? configuredApi(config) }, false);
}

/** Every catalog that is known from anywhere, and whether these are surely all. */
function namesOf(
  toAsk: ReturnType<typeof catalogsToAsk>,
  registry: DatabaseFound<readonly RegisteredCatalog[]>,
  api: ApiFound,
) {
  const shown = api.catalogs?.filter(({ registered }) => registered === 'yes') ?? [];
  const names = new Map(
    [...toAsk, ...shown].map(({ metalake, catalog }) => [catalogKey({ metalake, catalog }), { metalake, catalog }]),
  );
  return { names: [...names.values()], complete: registry.read !== undefined || api.catalogs !== undefined };
}

/** Catalogs that are in the file and that no `schedules apply` has brought into the registry. */
function notApplied(
  config: Config,
  registry: DatabaseFound<readonly RegisteredCatalog[]>,
  api: ApiFound,
): readonly Diagnosis[] {
  const known = registry.read ?? api.catalogs?.filter(({ registered }) => registered !== 'no');
  if (known === undefined) return [];
  const there = new Set(known.map(catalogKey));
  return config.catalogs
    .filter((catalog) => !there.has(catalogKey(catalog)))
    .map((catalog) =>
      diagnosing('registry').warning(
        catalogKey(catalog),
        'is in the file and not in the registry',
        'run `schedules apply`',
      ),
    );
}

/** Catalogs whose connection is in an embedded registry, which the running process alone may open. */
function unasked(
  config: Config,
  registry: DatabaseFound<readonly RegisteredCatalog[]>,
  api: ApiFound,
): readonly Diagnosis[] {
  if (registry.read !== undefined) return [];
  const inFile = new Set(config.catalogs.map(catalogKey));
  return (api.catalogs ?? [])
    .filter((catalog) => catalog.registered === 'yes' && !inFile.has(catalogKey(catalog)))
    .map((catalog) => {
      const when = catalog.published === undefined ? 'no round yet' : `last round ${moment(catalog.published.at)}`;
      return diagnosing('sources').skipped(
        catalogKey(catalog),
        `not asked, since only the running process knows its connection; ${catalog.state}, ${when}`,
      );
    });
}

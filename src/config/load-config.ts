import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveAuth } from './auth.ts';
import { resolveMetalakes } from './catalogs.ts';
import type { Config, ReconcileGiven } from './config.ts';
import { resolveDatabase, resolveSecret } from './databases.ts';
import { resolveDelta } from './delta.ts';
import { type Environment, fileVariable, readEnvironment, variable } from './environment.ts';
import { strayVariables } from './known-variables.ts';
import { ConfigError, type Problem } from './problem.ts';
import { readSettings } from './read-settings.ts';
import { brokenRules } from './safety-rules.ts';
import { reasonOf } from './secret-source.ts';
import { resolveServer } from './server.ts';
import { settings } from './settings.ts';
import { keyText } from './setting.ts';
import { temporalVariables } from './temporal-settings.ts';
import { readYaml } from './yaml-tree.ts';

export interface LoadInput {
  /** Otherwise the file that `RECONCILER_CONFIG` names, otherwise none. */
  readonly file?: string;
  readonly env?: Environment;
  /** For the configuration and for the files that secrets are kept in. */
  readonly readFile?: (path: string) => string;
  /** Where relative paths begin. */
  readonly cwd?: string;
}

/**
 * Reads the file and the environment. Throws {@link ConfigError} with everything that is wrong at once: a key that is
 * misspelt, a value that is not accepted, a rule that is broken. Nothing is ever guessed or left out instead.
 */
export function loadConfig({
  file: named,
  env: environment = readEnvironment(),
  readFile = (path) => readFileSync(path, 'utf8'),
  cwd = process.cwd(),
}: LoadInput = {}): Config {
  const file = named ?? variable(environment, fileVariable);
  const { root, problems: faults } = readYaml(file === undefined ? '' : textOf(file, cwd, readFile), file ?? '');
  const { given, problems: refused, whereOf } = readSettings({ root, file: file ?? '', environment });
  const problems: Problem[] = [...faults, ...refused, ...strayVariables(environment)];
  const report = (key: readonly string[], text: string) => {
    const known = keyText(key);
    // what is missing or does not fit together may be so because a part of it was refused: say the first thing only
    const refusedAlready = problems.some((problem) => problem.key === known || problem.key?.startsWith(`${known}.`));
    if (!refusedAlready) problems.push({ where: whereOf(key), key: known, text });
  };
  const source = { environment, readFile, cwd };

  const { temporal = {}, reconcile = {} } = given;
  const fallbacks = settings.keys;
  // credentials that were refused are mended before anybody asks who may reach the API
  const spoilt = problems.some(({ key }) => key?.startsWith('auth') === true);
  const auth = resolveAuth(given.auth ?? {}, source, report);
  const server = resolveServer(given.server ?? {}, auth.hasCredentials || spoilt, source, report);
  const ledger = resolveDatabase(given.ledger ?? {}, ['ledger'], source, report);
  const registry = resolveDatabase(given.registry ?? {}, ['registry'], source, report);
  const { sourceUrl } = given.demo ?? {};
  const demoSource = resolveDatabase(sourceUrl === undefined ? {} : { url: sourceUrl }, ['demo'], source, report);
  const apiKey = resolveSecret(temporal.apiKey, ['temporal', 'apiKey'], source, report);
  const { metalakes, catalogs } = resolveMetalakes(given.metalakes ?? new Map(), source, report);
  const lakes = metalakes.map(({ name }) => name);
  const delta = resolveDelta(given.delta ?? {}, lakes, source, report);

  const check = (all: ReconcileGiven, own: ReconcileGiven, key: readonly string[]) => {
    for (const broken of brokenRules(all, own)) report([...key, 'reconcile', broken.key], broken.text);
  };
  check({}, reconcile, []);
  for (const { metalake, catalog, reconcile: own } of catalogs) {
    check(reconcile, own, ['metalakes', metalake, 'catalogs', catalog]);
  }
  if (problems.length > 0) throw new ConfigError(problems);

  return deepFrozen({
    ...(file === undefined ? {} : { file }),
    server,
    auth,
    dataDir: resolve(cwd, given.dataDir ?? fallbacks.dataDir.fallback),
    logLevel: given.logLevel ?? fallbacks.logLevel.fallback,
    metrics: { host: fallbacks.metrics.keys.host.fallback, ...given.metrics },
    temporal: {
      ...(temporal.address === undefined ? {} : { address: temporal.address }),
      namespace: temporal.namespace ?? fallbacks.temporal.keys.namespace.fallback,
      port: temporal.port ?? fallbacks.temporal.keys.port.fallback,
      uiPort: temporal.uiPort ?? fallbacks.temporal.keys.uiPort.fallback,
      client: temporalVariables(environment, temporal, apiKey),
    },
    ...(ledger === undefined ? {} : { ledger }),
    ...(registry === undefined ? {} : { registry }),
    ...(demoSource === undefined ? {} : { demoSource }),
    reconcile,
    metalakes,
    delta,
    catalogs,
  });
}

function textOf(file: string, cwd: string, readFile: (path: string) => string): string {
  try {
    return readFile(resolve(cwd, file));
  } catch (error) {
    throw new ConfigError([{ where: file, text: `cannot be read: ${reasonOf(error)}. Name a file that is there` }]);
  }
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFrozen(inner);
  }
  return value;
}

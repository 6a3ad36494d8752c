import type { catalogSettings, metalakeSettings } from './catalog-settings.ts';
import type { CatalogConfig, MetalakeConfig } from './config.ts';
import { databaseConnectionOf } from './connection.ts';
import { deltaConnectionOf } from './delta-connection.ts';
import { asRead, nameProblem, pairProblem } from './name-rules.ts';
import type { Report } from './problem.ts';
import type { SecretSource } from './secret-source.ts';
import type { Given } from './setting.ts';

export type CatalogGiven = Given<typeof catalogSettings>;
export type MetalakesGiven = ReadonlyMap<string, Given<typeof metalakeSettings>>;

/** Metalakes and catalogs as lists. What is wrong is reported, and left out. */
export function resolveMetalakes(
  given: MetalakesGiven,
  source: SecretSource,
  report: Report,
): { readonly metalakes: readonly MetalakeConfig[]; readonly catalogs: readonly CatalogConfig[] } {
  const named = soundNames(given, ['metalakes'], report);
  const metalakes = named.map(([name, { registry = 'embedded', owner }]) => ({
    name,
    registry,
    ...optional({ owner }),
  }));
  const catalogs = named.flatMap(([metalake, inside]) => {
    const key = ['metalakes', metalake, 'catalogs'];
    return soundNames(inside.catalogs ?? new Map<string, CatalogGiven>(), key, report).flatMap(([catalog, written]) => {
      const problem = pairProblem(metalake, catalog);
      if (problem !== undefined) report([...key, catalog], problem);
      const resolved = resolveCatalog(metalake, catalog, written, source, report);
      return problem === undefined && resolved !== undefined ? [resolved] : [];
    });
  });
  return { metalakes, catalogs };
}

function resolveCatalog(
  metalake: string,
  catalog: string,
  given: CatalogGiven,
  source: SecretSource,
  report: Report,
): CatalogConfig | undefined {
  const key = ['metalakes', metalake, 'catalogs', catalog];
  const { provider, owner, caseRule = 'sensitive', reconcile = {} } = given;
  if (provider === undefined)
    report([...key, 'provider'], 'is missing. Write `provider: postgresql` or `provider: delta`');
  const connection = (provider === 'delta' ? deltaConnectionOf : databaseConnectionOf)(given, key, source, report);
  if (provider === undefined || connection === undefined) return undefined;
  // a schema of Delta tables is no more than its registration, so nothing could be asked about it
  const { managedKinds = provider === 'delta' ? (['schema'] as const) : [] } = given;
  return { metalake, catalog, provider, ...connection, ...optional({ owner }), managedKinds, caseRule, reconcile };
}

function soundNames<T>(given: ReadonlyMap<string, T>, key: readonly string[], report: Report): [string, T][] {
  const seen = new Map<string, string>();
  return [...given].filter(([name]) => {
    const twin = seen.get(asRead(name));
    const problem = nameProblem(name) ?? (twin === undefined ? undefined : 'reads like another name of the file');
    seen.set(asRead(name), name);
    if (problem !== undefined) report([...key, name], `${problem}. Choose another name`);
    return problem === undefined;
  });
}

function optional<T>({ owner }: { readonly owner: T | undefined }): { readonly owner?: T } {
  return owner === undefined ? {} : { owner };
}

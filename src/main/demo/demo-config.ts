import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CatalogConfig, Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { Secret } from '../../config/secret.ts';
import { demoFolder } from './demo-state.ts';
import { demoMetalake, demoOwner, provider, registeredPlans } from './plans.ts';
import type { DemoSources } from './start-demo-sources.ts';

/** Written once and read at each start, by the reader of every other configuration. */
const settingsText = `# How the catalogs of the demo are reconciled. Without grace and minimum age a person can
# approve a removal after two rounds; your own catalogs wait a day and an hour unless you
# say otherwise. Change this and start again.
reconcile:
  policy: report-only
  misses: 2
  graceSecs: 0
  minimumAgeSecs: 0
`;

/** Where the demo's own settings are kept, for people to look at and to change. */
export function demoSettingsFile(dataDir: string): string {
  return join(demoFolder(dataDir), 'reconcile.yaml');
}

/** The given configuration with the demo's metalake and catalogs in it. Throws `ConfigError` where its file is wrong. */
export async function withDemo(given: Config, dataDir: string, sources: DemoSources): Promise<Config> {
  const file = demoSettingsFile(dataDir);
  await writeFile(file, settingsText, { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const { reconcile } = loadConfig({ file, env: {} });
  const catalogs = registeredPlans.map(({ name, owner }): CatalogConfig => {
    const { settings, secrets } = sources.connections[name];
    return {
      metalake: demoMetalake,
      catalog: name,
      provider,
      settings,
      secrets: secrets.password === undefined ? {} : { password: new Secret(secrets.password) },
      owner,
      managedKinds: [],
      caseRule: 'sensitive',
      reconcile,
    };
  });
  return {
    ...given,
    // Without a word of one's own, the demo's metalake is the only one and is served, with its managed tables in the folder.
    delta: { metalake: demoMetalake, storageRoot: pathToFileURL(join(dataDir, 'tables')).href, ...given.delta },
    metalakes: [...given.metalakes, { name: demoMetalake, registry: 'embedded', owner: demoOwner }],
    catalogs: [...given.catalogs, ...catalogs],
  };
}

import type { CatalogConfig, Config } from '../config/config.ts';
import { revealAll } from '../config/secret.ts';
import { reconciler } from '../domain/actor.ts';
import type { Services } from './services.ts';

/** One row by its name; a database that takes longer is ill. */
const readTimeoutMs = 30_000;

/**
 * Makes the embedded registry's metalakes and catalogs be as the file says: adds what is missing, alters what differs,
 * removes nothing. What was made over the API and is not in the file is left alone.
 */
export async function applyCatalogs(
  services: Pick<Services, 'metalakes' | 'registryOf'>,
  config: Config,
): Promise<void> {
  const { metalakes } = services;
  for (const { name, owner } of config.metalakes) {
    if ((await metalakes.find(name)) === undefined) {
      await metalakes.create({ name, ...(owner === undefined ? {} : { owner }) }, reconciler.name);
    } else if (owner !== undefined) {
      await metalakes.setOwner(name, owner, { actor: reconciler.name });
    }
  }
  for (const catalog of config.catalogs) await applyCatalog(services, catalog);
}

/** One that is no longer in the file goes as well. */
const noSecrets = { password: null, secretAccessKey: null, sessionToken: null };

async function applyCatalog(
  { metalakes, registryOf }: Pick<Services, 'metalakes' | 'registryOf'>,
  wanted: CatalogConfig,
): Promise<void> {
  const desk = await metalakes.desk(wanted.metalake);
  if (desk === undefined) throw new Error(`metalake ${wanted.metalake} was not made`);
  const { catalog: name, provider, settings, managedKinds, caseRule, owner } = wanted;
  const owned = owner === undefined ? {} : { owner };
  const secrets = revealAll(wanted.secrets);
  const found = await registryOf(wanted.metalake).catalog(name, AbortSignal.timeout(readTimeoutMs));
  if (found !== undefined) {
    // A setting that is no longer in the file goes, or an old one would live on unseen.
    const dropped = Object.fromEntries(Object.keys(found.connection?.settings ?? {}).map((key) => [key, null]));
    await desk.alterCatalog(
      name,
      { ...owned, managedKinds, settings: { ...dropped, ...settings }, secrets: { ...noSecrets, ...secrets } },
      { actor: reconciler.name },
    );
    return;
  }
  await desk.createCatalog({ name, provider, settings, managedKinds, caseRule, ...owned, secrets }, reconciler.name);
}

import type { CatalogName } from '../../contract/names.ts';
import { EmbeddedRegistry } from '../../registries/embedded/embedded-registry.ts';
import { EmbeddedMetalakes } from '../../registries/embedded/metalakes.ts';
import { metalakeNames } from '../policies.ts';
import type { CatalogConnection } from '../source-directory.ts';
import type { ReadOnly } from './database-look.ts';

/** A catalog as the registry has it. */
export interface RegisteredCatalog extends CatalogName {
  readonly connection: CatalogConnection;
}

/** Every catalog of the embedded registry and how its source is reached. */
export async function registeredCatalogs(db: ReadOnly, signal: AbortSignal): Promise<readonly RegisteredCatalog[]> {
  const metalakes = new EmbeddedMetalakes({ db, now: Date.now });
  const found: RegisteredCatalog[] = [];
  for (const metalake of await metalakeNames({ metalakes })) {
    // only a removal asks, and none happens here
    const registry = new EmbeddedRegistry({ db, metalake, now: Date.now, stillExists: async () => 'unknown' });
    for (const { name } of await registry.catalogs(signal)) {
      found.push({ metalake, catalog: name, connection: await registry.catalogConnection(name) });
    }
  }
  return found;
}

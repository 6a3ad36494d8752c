import type { ImportCounts } from '../api/deps.ts';
import type { CatalogName } from '../contract/names.ts';
import type { Actor } from '../domain/actor.ts';
import { entityKindOf } from '../domain/registration.ts';
import type { ImportedEntity } from '../registries/embedded/chain/dispatcher.ts';
import type { Services } from './services.ts';

/** A listing of a large source takes minutes; one that takes longer is broken off, and run again adds the rest. */
const importTimeoutMs = 10 * 60_000;

/** Registers what the catalog's source lists and is not registered yet. Adds, never removes. */
export async function importCatalog(
  { sources, registryOf }: Pick<Services, 'sources' | 'registryOf'>,
  name: CatalogName,
  actor: Actor,
): Promise<ImportCounts> {
  const signal = AbortSignal.timeout(importTimeoutMs);
  const registry = registryOf(name.metalake);
  const { managedKinds = [] } = (await registry.catalog(name.catalog, signal)) ?? {};
  const { source } = await sources.sourceOf(name);
  let skipped = 0;
  async function* listed(): AsyncIterable<ImportedEntity> {
    for await (const { path, found, location } of source.list(signal)) {
      const kind = entityKindOf(found);
      if (kind === undefined || managedKinds.includes(kind)) skipped += 1;
      else yield location === undefined ? { kind, path } : { kind, path, storageLocation: location };
    }
  }
  const { added, existing, refused } = await registry.importRegistrations(name.catalog, listed(), actor.name, signal);
  return { added, existing, skipped: skipped + refused };
}

import type { CatalogName } from '../contract/names.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import type { CatalogRecord } from '../ledger/ledger.ts';
import { catalogKey } from './addresses.ts';
import type { ApiDeps } from './deps.ts';
import { ApiProblem } from './problems/api-problem.ts';

/** A name lookup takes milliseconds; a registry that is slower than this is told as not answering. */
const registryTimeoutMs = 5_000;

type LookupDeps = Pick<ApiDeps, 'ledger' | 'registries'>;

/**
 * The catalog's record, for reading: what the ledger knows stays readable while the registry is away or after the
 * catalog left it. `undefined` for a catalog that is registered and was never looked at. Throws problem
 * `no-such-metalake` or `no-such-catalog`.
 */
export async function catalogToRead(deps: LookupDeps, name: CatalogName): Promise<CatalogRecord | undefined> {
  const record = await deps.ledger.catalogs.catalog(catalogKey(name));
  if (record === undefined && !(await isRegistered(deps, name))) throw noSuchCatalog(name);
  return record;
}

/**
 * Makes sure that a catalog exists before something is started or decided for it: a name that resolves to nothing must
 * be an error, never an empty success. A registry that does not answer says nothing about the name, so a catalog that
 * the ledger knows passes then.
 */
export async function catalogToActOn(deps: LookupDeps, name: CatalogName): Promise<CatalogRecord | undefined> {
  const record = await deps.ledger.catalogs.catalog(catalogKey(name));
  try {
    if (await isRegistered(deps, name)) return record;
  } catch (error) {
    if (record !== undefined && error instanceof ReconcilerFailure) return record;
    throw error;
  }
  throw noSuchCatalog(name);
}

async function isRegistered({ registries }: LookupDeps, { metalake, catalog }: CatalogName): Promise<boolean> {
  const registry = registries(metalake);
  if (registry === undefined) throw new ApiProblem('no-such-metalake', `There is no metalake ${metalake}.`);
  const signal = AbortSignal.timeout(registryTimeoutMs);
  try {
    return (await registry.catalog(catalog, signal)) !== undefined;
  } catch (error) {
    if (!signal.aborted || error instanceof ReconcilerFailure) throw error;
    throw new ReconcilerFailure('RegistryUnreachable', 'timeout', `metalake ${metalake} did not answer in time`, {
      cause: error,
    });
  }
}

function noSuchCatalog({ metalake, catalog }: CatalogName): ApiProblem {
  return new ApiProblem('no-such-catalog', `Metalake ${metalake} has no catalog ${catalog}.`);
}

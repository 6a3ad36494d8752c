import { ReconcilerFailure } from '../domain/failure.ts';
import type { ApiDeps } from './deps.ts';

/** The overview is read by people who wait for it; a slower registry is told as not answering. */
const listTimeoutMs = 5_000;

/** What a metalake's registry lists, or why it does not. */
export interface MetalakeCatalogs {
  readonly name: string;
  /** The kind of registry, `none` where the configuration knows the metalake no more. */
  readonly registry: string;
  readonly answered: boolean;
  readonly why?: string;
  readonly catalogs: readonly string[];
}

export async function catalogsOf({ registries, logger }: ApiDeps, metalake: string): Promise<MetalakeCatalogs> {
  const registry = registries(metalake);
  if (registry === undefined) {
    return { name: metalake, registry: 'none', answered: false, why: 'not configured', catalogs: [] };
  }
  try {
    const listed = await registry.catalogs(AbortSignal.timeout(listTimeoutMs));
    return { name: metalake, registry: registry.kind, answered: true, catalogs: listed.map(({ name }) => name) };
  } catch (error) {
    logger.warn({ metalake, err: error }, 'registry does not list its catalogs');
    // only our own failures are written to be shown
    const why = error instanceof ReconcilerFailure ? error.message : 'the registry does not answer';
    return { name: metalake, registry: registry.kind, answered: false, why, catalogs: [] };
  }
}

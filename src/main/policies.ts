import { policyFor } from '../config/policy-for.ts';
import type { CatalogName } from '../contract/names.ts';
import type { Actor } from '../domain/actor.ts';
import { pathText } from '../domain/path.ts';
import type { Services } from './services.ts';

/** A catalog and whether its policy was new. */
export interface AppliedPolicy extends CatalogName {
  readonly version: number;
  readonly changed: boolean;
  /** Somebody changed the policy over the API; that holds until the file has something new to say. */
  readonly changedOverApi?: true;
}

/** Every metalake that is in the registry, whether the file names it or not. */
export async function metalakeNames({ metalakes }: Pick<Services, 'metalakes'>): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const page = await metalakes.page({ limit: 500, ...(after === undefined ? {} : { after }) });
    names.push(...page.items.map(({ name }) => name));
    after = page.next;
    more = after !== undefined;
  }
  return names;
}

/** Every catalog of every metalake. */
export async function allCatalogs(services: Services): Promise<readonly CatalogName[]> {
  const names: CatalogName[] = [];
  for (const metalake of await metalakeNames(services)) {
    const catalogs = await services.registryOf(metalake).catalogs(AbortSignal.timeout(30_000));
    names.push(...catalogs.map(({ name }) => ({ metalake, catalog: name })));
  }
  return names;
}

/** Writes the effective policy of every catalog to the ledger, which is where activities read it. */
export async function applyPolicies(services: Services, actor: Actor): Promise<readonly AppliedPolicy[]> {
  const { ledger, config, activityDeps } = services;
  const applied: AppliedPolicy[] = [];
  for (const name of await allCatalogs(services)) {
    const now = activityDeps.clock();
    await ledger.catalogs.ensure(name.metalake, name.catalog, now);
    const { policy, intervalMs } = policyFor(config, name.metalake, name.catalog);
    const catalog = pathText([name.metalake, name.catalog]);
    applied.push({ ...name, ...(await ledger.catalogs.applyPolicy({ catalog, policy, intervalMs, actor, now })) });
  }
  return applied;
}

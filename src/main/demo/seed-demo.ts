import type { EmbeddedRegistry } from '../../registries/embedded/embedded-registry.ts';
import type { EmbeddedMetalakes } from '../../registries/embedded/metalakes.ts';
import { RegistryRefusal } from '../../registries/embedded/refusal.ts';
import type { RegistryDesk } from '../../registries/embedded/registry-desk.ts';
import { makingOf } from './catalog-plan.ts';
import { runStatements } from './demo-connection.ts';
import { demoMetalake, demoOwner, provider, registeredPlans, type RegisteredPlan, sourcedPlans } from './plans.ts';
import type { DemoSources } from './start-demo-sources.ts';

/** What seeding needs of the embedded registry. */
export interface DemoRegistry {
  readonly metalakes: Pick<EmbeddedMetalakes, 'find' | 'create' | 'desk'>;
  readonly registryOf: (metalake: string) => Pick<EmbeddedRegistry, 'catalog' | 'importRegistrations'>;
}

/**
 * Makes the objects at the sources and registers them, as somebody does who imports a database and then attaches owners,
 * tags and grants. Once only: a later start finds removed registrations and dropped objects as they are. Where a source
 * listens elsewhere than before, its catalog is told.
 */
export async function seedDemo(registry: DemoRegistry, sources: DemoSources, signal: AbortSignal): Promise<void> {
  const { state, connections } = sources;
  // A registry that knows nothing of a demo that was seeded is a new one: begin from the beginning, with both.
  if (state.has('seeded') && !(await knowsAll(registry, signal))) await state.reach('new');
  const isNew = !state.has('seeded');
  if (isNew) {
    for (const plan of sourcedPlans) {
      await runStatements(connections[plan.name], makingOf(plan));
      signal.throwIfAborted();
    }
    if ((await registry.metalakes.find(demoMetalake)) === undefined) {
      await registry.metalakes.create({ name: demoMetalake, comment: 'Made by the demo' }, demoOwner);
    }
  }
  const desk = await registry.metalakes.desk(demoMetalake);
  if (desk === undefined) throw new Error(`metalake ${demoMetalake} was not made`);
  for (const plan of registeredPlans) {
    await settleCatalog(desk, plan, sources);
    if (isNew) await register(desk, registry, plan, signal);
  }
  if (isNew) await state.reach('seeded');
}

async function knowsAll({ registryOf }: DemoRegistry, signal: AbortSignal): Promise<boolean> {
  for (const { name } of registeredPlans) {
    if ((await registryOf(demoMetalake).catalog(name, signal)) === undefined) return false;
  }
  return true;
}

/** Makes the catalog, or tells it where its source is now. One that is right already stays as it is. */
async function settleCatalog(
  desk: RegistryDesk,
  { name, comment, owner }: RegisteredPlan,
  { connections }: DemoSources,
): Promise<void> {
  const { settings, secrets } = connections[name];
  try {
    await desk.createCatalog({ name, provider, comment, owner, settings, secrets: { ...secrets } }, demoOwner);
  } catch (error) {
    if (!(error instanceof RegistryRefusal && error.reason === 'already-exists')) throw error;
    await desk.alterCatalog(name, { settings, secrets: { ...secrets } }, { actor: demoOwner });
  }
}

async function register(
  desk: RegistryDesk,
  { registryOf }: DemoRegistry,
  { name: catalog, objects }: RegisteredPlan,
  signal: AbortSignal,
): Promise<void> {
  const items = objects.map(({ kind, path }) => ({ kind, path }));
  await registryOf(demoMetalake).importRegistrations(catalog, items, demoOwner, signal);
  for (const { kind, path, attached } of objects) {
    if (attached === undefined) continue;
    await desk.alter({ catalog, actor: demoOwner, target: { by: 'path', kind, path }, change: attached });
    signal.throwIfAborted();
  }
}

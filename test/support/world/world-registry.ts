import { isInside, pathText } from '../../../src/domain/path.ts';
import type { Registry, RemoveAnswer, RemoveRequest } from '../../../src/registries/registry.ts';
import type { World } from './world.ts';

/** The world's registry, seen through the port. It believes the request and records the truth. */
export function worldRegistry(world: World): Registry {
  const sorted = () => [...world.registrations.values()].sort((a, b) => (pathText(a.path) < pathText(b.path) ? -1 : 1));
  const entry = () => ({ name: world.catalog, provider: 'world', managedKinds: world.managedKinds });
  return {
    kind: 'embedded',
    capabilities: { conditionalRemove: true, attachments: true, repoint: false, restore: false, exclusive: false },
    catalogs: async () => [entry()],
    catalog: async (name) => (name === world.catalog ? entry() : undefined),
    count: async () => world.registrations.size,
    async registrations(_catalog, { after, limit }) {
      const behind = sorted().filter(({ path }) => after === undefined || pathText(path) > after);
      const items = behind.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(behind.length > limit && last !== undefined ? { next: pathText(last.path) } : {}) };
    },
    registration: async (_catalog, id) => world.registrations.get(id),
    inside: async (_catalog, container) => sorted().filter(({ path }) => isInside(path, container)),
    async attachments(_catalog, ids) {
      return new Map(
        ids.flatMap((id) => {
          const registration = world.registrations.get(id);
          return registration === undefined ? [] : [[id, registration.attachments] as const];
        }),
      );
    },
    dropsSince: async (_catalog, since) => world.drops.filter((at) => at >= since).length,
    async remove(request) {
      await world.beforeRemove?.();
      const answer = take(world, request);
      await world.afterRemove?.();
      return answer;
    },
    outcomeOf: async (_catalog, intentId) =>
      world.removals.some((removal) => removal.intentId === intentId) ? 'removed' : 'no-trace',
    close: async () => undefined,
  };
}

function take(world: World, request: RemoveRequest): RemoveAnswer {
  const registration = world.registrations.get(request.id);
  if (registration === undefined) return { outcome: 'already-gone' };
  if (registration.version !== request.expectedVersion) return { outcome: 'changed', reason: 'version' };
  const inside = [...world.registrations.values()].filter(({ path }) => isInside(path, registration.path));
  const expected = new Map(request.expectedInside.map(({ id, version }) => [id, version]));
  if (inside.length !== expected.size || inside.some(({ id, version }) => expected.get(id) !== version)) {
    return { outcome: 'changed', reason: 'inside' };
  }
  for (const gone of [registration, ...inside]) {
    world.registrations.delete(gone.id);
    world.removals.push({
      id: gone.id,
      path: gone.path,
      intentId: request.intentId,
      actor: request.actor,
      objectExisted: world.objects.has(pathText(gone.path)),
    });
  }
  return { outcome: 'removed', entities: inside.length + 1 };
}

import { isInside, parentPath, pathText } from '../../../src/domain/path.ts';
import type { Attachments } from '../../../src/domain/registration.ts';
import type {
  Registry,
  RemoveAnswer,
  RemoveRequest,
  RepointAnswer,
  RepointRequest,
  RestoreAnswer,
  RestoreRequest,
} from '../../../src/registries/registry.ts';
import type { World } from './world.ts';

/** The registry of some worlds, seen through the port: each is a catalog. It believes requests and records the truth. */
export function worldRegistry(...worlds: readonly World[]): Registry {
  const of = (catalog: string): World => {
    const found = worlds.find((world) => world.catalog === catalog);
    if (found === undefined) throw new Error(`no world is called ${catalog}`);
    return found;
  };
  const sorted = (world: World) =>
    [...world.registrations.values()].sort((a, b) => (pathText(a.path) < pathText(b.path) ? -1 : 1));
  const entry = (world: World) => ({ name: world.catalog, provider: 'world', managedKinds: world.managedKinds });
  return {
    kind: 'embedded',
    capabilities: { conditionalRemove: true, attachments: true, repoint: true, restore: true, exclusive: false },
    catalogs: async () => worlds.map(entry),
    catalog: async (name) => worlds.filter(({ catalog }) => catalog === name).map(entry)[0],
    count: async (catalog) => of(catalog).registrations.size + of(catalog).miscounted,
    async registrations(catalog, { after, limit }) {
      const behind = sorted(of(catalog)).filter(({ path }) => after === undefined || pathText(path) > after);
      const items = behind.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(behind.length > limit && last !== undefined ? { next: pathText(last.path) } : {}) };
    },
    registration: async (catalog, id) => of(catalog).registrations.get(id),
    inside: async (catalog, container) => sorted(of(catalog)).filter(({ path }) => isInside(path, container)),
    async attachments(catalog, ids) {
      return new Map(
        ids.flatMap((id) => {
          const registration = of(catalog).registrations.get(id);
          return registration === undefined ? [] : [[id, registration.attachments] as const];
        }),
      );
    },
    dropsSince: async (catalog, since) => of(catalog).drops.filter((at) => at >= since).length,
    async remove(request) {
      const world = of(request.catalog);
      await world.beforeRemove?.();
      if (world.refusal !== undefined) return { outcome: 'refused', reason: world.refusal };
      if (world.removesInWordsOnly) return { outcome: 'removed', entities: 1 };
      const answer = take(world, request);
      await world.afterRemove?.();
      return answer;
    },
    async repoint(request) {
      const world = of(request.catalog);
      await world.beforeRepoint?.();
      if (world.refusal !== undefined) return { outcome: 'refused', reason: world.refusal };
      const answer = move(world, request);
      await world.afterRepoint?.();
      return answer;
    },
    async restore(request) {
      const world = of(request.catalog);
      await world.beforeRestore?.();
      if (world.refusal !== undefined) return { outcome: 'refused', reason: world.refusal };
      const answer = bringBack(world, request);
      await world.afterRestore?.();
      return answer;
    },
    outcomeOf: async (catalog, intentId) =>
      of(catalog).removals.some((removal) => removal.intentId === intentId) ? 'removed' : 'no-trace',
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
    world.buried.set(gone.id, { registration: gone, intentId: request.intentId });
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

function move(world: World, { id, path, to, expectedVersion, intentId, actor }: RepointRequest): RepointAnswer {
  const registration = world.registrations.get(id);
  if (registration === undefined) return { outcome: 'already-gone' };
  if (pathText(registration.path) === pathText(to)) return { outcome: 'already' };
  if (pathText(registration.path) !== pathText(path)) return { outcome: 'changed', reason: 'moved' };
  if (registration.version !== expectedVersion) return { outcome: 'changed', reason: 'version' };
  if (world.at(to) !== undefined) return { outcome: 'refused', reason: 'already-exists' };
  const parent = parentPath(to);
  if (parent !== undefined && world.at(parent) === undefined) return { outcome: 'refused', reason: 'not-found' };
  const moving = [registration, ...[...world.registrations.values()].filter((each) => isInside(each.path, path))];
  for (const each of moving) {
    world.registrations.set(each.id, {
      ...each,
      path: [...to, ...each.path.slice(path.length)],
      version: String(Number(each.version) + 1),
    });
  }
  world.repoints.push({ id, from: path, to, intentId, actor });
  return { outcome: 'repointed', entities: moving.length };
}

function bringBack(world: World, { entities, intentId, restoreId, actor }: RestoreRequest): RestoreAnswer {
  const missing = entities.filter(({ id }) => !world.registrations.has(id));
  const coming = new Set(missing.map(({ path }) => pathText(path)));
  for (const { id, path } of missing) {
    if (world.buried.get(id)?.intentId !== intentId) return { outcome: 'refused', reason: 'not-found' };
    if (world.at(path) !== undefined) return { outcome: 'refused', reason: 'already-exists' };
    const parent = parentPath(path);
    if (parent !== undefined && world.at(parent) === undefined && !coming.has(pathText(parent))) {
      return { outcome: 'refused', reason: 'not-found' };
    }
  }
  const canGive = (tag: string): boolean => world.tags === undefined || world.tags.has(tag);
  for (const { id, path, attachments } of missing) {
    const registration = world.buried.get(id)?.registration;
    if (registration === undefined) continue;
    const { secrets: _lost, ...saved } = attachments === 'unseen' ? nothing : attachments;
    world.buried.delete(id);
    world.registrations.set(id, {
      ...registration,
      version: String(Number(registration.version) + 1),
      attachments: { ...saved, tags: saved.tags.filter(canGive) },
    });
    world.restores.push({ id, path, restoreId, actor });
  }
  const warnings = entities.flatMap(({ path, attachments }) =>
    (attachments === 'unseen' ? [] : attachments.tags)
      .filter((tag) => !canGive(tag))
      .map((tag) => ({ path, what: `tag ${tag}: there is no such tag any more` })),
  );
  return { outcome: 'restored', entities: entities.length, warnings };
}

const nothing: Attachments = { tags: [], policies: [], grants: [], properties: {} };

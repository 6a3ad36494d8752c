import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { isInside, parentPath, pathText, type Path } from '../../src/domain/path.ts';
import type { World, WorldObject, WorldRegistration } from '../support/world/world.ts';
import type { Act, Outage, Run } from './history.ts';
import type { Simulation } from './simulation.ts';

const outages: Readonly<Record<Outage, ReconcilerFailure>> = {
  unreachable: new ReconcilerFailure('SourceUnreachable', 'ECONNREFUSED', 'nobody answers'),
  denied: new ReconcilerFailure('SourceAccessDenied', '28P01', 'the password is refused'),
  busy: new ReconcilerFailure('SourceBusy', '53300', 'too many connections'),
};

const atTheSource: ReadonlySet<string> = new Set([
  'create',
  'drop',
  'rename',
  'rename-onto',
  'recreate',
  'undrop',
  'replace',
  'copy',
  'drop-around',
  'failover',
  'clear-up',
]);

/** Whether an act changes what is at the source, or what answers in its place. */
export function changesSource(act: Act | Run): act is Act {
  return atTheSource.has(act.do);
}

/** Does what happens at the source, or between it and us; says whether the act was one of those. */
export function actAtSource(simulation: Simulation, act: Act): boolean {
  const { conditions, dropped, worlds } = simulation;
  const world = simulation.world('pick' in act ? act.pick : 0);
  const { objects } = world;
  const all = [...objects.values()].sort((a, b) => (pathText(a.path) < pathText(b.path) ? -1 : 1));
  const pick = <T>(items: readonly T[]): T | undefined => ('pick' in act ? items[act.pick % items.length] : undefined);
  const object = pick(all);
  switch (act.do) {
    case 'create': {
      const parent = pick(all.filter(({ found }) => found === 'schema'));
      const path: Path = parent === undefined ? [`n${act.name}`] : [...parent.path, `n${act.name}`];
      if (!objects.has(pathText(path))) world.create(path, parent === undefined ? 'schema' : act.kind);
      return true;
    }
    case 'drop':
      if (object !== undefined) {
        dropped.push(...all.filter(({ path }) => path === object.path || isInside(path, object.path)));
        world.drop(object.path);
      }
      return true;
    case 'drop-around':
      if (!simulation.beginning.parentImpliesChild && object?.found === 'schema') objects.delete(pathText(object.path));
      return true;
    case 'rename':
      if (object !== undefined) move(world, all, object, [...object.path.slice(0, -1), `m${act.name}`]);
      return true;
    case 'rename-onto': {
      const onto = missing(world)[act.onto % Math.max(1, missing(world).length)];
      if (object !== undefined && onto !== undefined) move(world, all, object, onto.path);
      return true;
    }
    case 'recreate': {
      const gone = pick(missing(world));
      if (gone !== undefined) world.create(gone.path, gone.kind);
      return true;
    }
    case 'undrop': {
      const lost = pick(dropped);
      const back = lost !== undefined && act.elsewhere ? { ...lost, path: sibling(lost.path, 'back') } : lost;
      const parent = back === undefined ? undefined : parentPath(back.path);
      const fits = parent === undefined || objects.has(pathText(parent));
      if (back !== undefined && fits && !objects.has(pathText(back.path)) && !all.some(({ uid }) => uid === back.uid))
        objects.set(pathText(back.path), back);
      return true;
    }
    case 'replace':
      if (object !== undefined && object.found !== 'schema') world.create(object.path, act.kind);
      return true;
    case 'copy':
      if (object !== undefined) {
        for (const name of act.away ? [`c${act.name}`, `d${act.name}`] : [`c${act.name}`]) {
          const path = sibling(object.path, name);
          if (!objects.has(pathText(path))) objects.set(pathText(path), { ...object, path });
        }
        if (act.away && object.found !== 'schema') objects.delete(pathText(object.path));
      }
      return true;
    case 'outage':
      for (const each of worlds) each.sourceFault = outages[act.with];
      return true;
    case 'deny':
      if (object !== undefined) conditions.denied.add(pathText(object.path));
      return true;
    case 'hide':
      if (object !== undefined) conditions.hidden.add(pathText(object.path));
      return true;
    case 'lie':
      if (object !== undefined) conditions.lies.add(pathText(object.path));
      return true;
    case 'proxy':
      conditions.proxy = act.how;
      return true;
    case 'principal':
      for (const each of worlds) each.principal = `reader-${act.name}`;
      return true;
    case 'failover':
      if (conditions.primary === undefined) {
        conditions.primary = new Map(objects);
        objects.clear();
        if (act.fingerprint === 'other') for (const each of worlds) each.fingerprint = 'stand-in';
      }
      return true;
    case 'clear-up':
      clearUp(simulation);
      return true;
    default:
      return false;
  }
}

/** Ends every outage, lie and stand-in. */
export function clearUp({ conditions, worlds, moods }: Simulation): void {
  for (const set of [conditions.denied, conditions.hidden, conditions.lies]) set.clear();
  conditions.proxy = undefined;
  moods.length = 0;
  for (const world of worlds) {
    world.sourceFault = undefined;
    world.miscounted = 0;
    world.fingerprint = 'world-1';
  }
  const [first] = worlds;
  if (conditions.primary !== undefined && first !== undefined) {
    first.objects.clear();
    for (const [text, object] of conditions.primary) first.objects.set(text, object);
    conditions.primary = undefined;
  }
}

function missing(world: World): readonly WorldRegistration[] {
  return [...world.registrations.values()].filter(({ path }) => !world.objects.has(pathText(path)));
}

function sibling(path: Path, name: string): Path {
  const [first, ...rest] = [...path.slice(0, -1), name];
  return [first ?? name, ...rest];
}

/** Renames an object with everything inside it, unless the name is taken or lies inside itself. */
function move(world: World, all: readonly WorldObject[], object: WorldObject, to: readonly string[]): void {
  const [first, ...rest] = to;
  if (first === undefined) return;
  const target: Path = [first, ...rest];
  const parent = parentPath(target);
  const fits = parent === undefined || world.objects.get(pathText(parent))?.found === 'schema';
  if (!fits || world.objects.has(pathText(target)) || isInside(target, object.path)) return;
  for (const one of all) {
    if (one.path !== object.path && !isInside(one.path, object.path)) continue;
    const path: Path = [first, ...rest, ...one.path.slice(object.path.length)];
    world.objects.delete(pathText(one.path));
    world.objects.set(pathText(path), { ...one, path });
  }
}

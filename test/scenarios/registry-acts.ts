import { isInside, pathText, type Path } from '../../src/domain/path.ts';
import type { Act } from './history.ts';
import type { Simulation } from './simulation.ts';

/** Does what others do at the registry; says whether the act was one of those. */
export function actAtRegistry(simulation: Simulation, act: Act): boolean {
  const world = simulation.world('pick' in act ? act.pick : 0);
  const all = [...world.registrations.values()].sort((a, b) => (pathText(a.path) < pathText(b.path) ? -1 : 1));
  const registration = 'pick' in act && all.length > 0 ? all[act.pick % all.length] : undefined;
  const unregister = (path: Path, recorded: boolean): void => {
    for (const { id } of all.filter((one) => one.path === path || isInside(one.path, path))) {
      world.registrations.delete(id);
      if (recorded) world.drops.push(simulation.now());
    }
  };
  switch (act.do) {
    case 'register': {
      const schemas = all.filter(({ kind }) => kind === 'schema');
      const parent = schemas[act.pick % Math.max(1, schemas.length)];
      const path: Path = parent === undefined ? [`n${act.name}`] : [...parent.path, `n${act.name}`];
      if (world.at(path) === undefined) world.register(path, {}, simulation.now());
      return true;
    }
    case 'unregister':
      if (registration !== undefined) unregister(registration.path, act.recorded);
      return true;
    case 'reregister':
      if (registration !== undefined) {
        unregister(registration.path, true);
        world.register(registration.path, {}, simulation.now());
      }
      return true;
    case 'attach':
      if (registration !== undefined) {
        const change = { owner: { owner: 'bob' }, tag: { tags: ['gold'] }, comment: { comment: 'see below' } };
        world.touch(registration.id, change[act.what]);
      }
      return true;
    case 'registry':
      simulation.moods.push({ mood: act.mood, lateMs: act.lateMs });
      return true;
    case 'miscount':
      simulation.world(0).miscounted = act.by;
      return true;
    default:
      return false;
  }
}

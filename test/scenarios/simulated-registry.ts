import { requestTimeoutMs } from '../../src/activities/carry-out-intent.ts';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { isInside, pathText } from '../../src/domain/path.ts';
import type { Attachments } from '../../src/domain/registration.ts';
import type { Registry, RemoveRequest, RepointRequest, RestoreRequest } from '../../src/registries/registry.ts';
import type { World, WorldRegistration } from '../support/world/world.ts';
import { worldRegistry } from '../support/world/world-registry.ts';
import type { Simulation } from './simulation.ts';

/** A registration that went, and what was true of its object at that moment. */
export interface Removed {
  readonly world: World;
  readonly registration: WorldRegistration;
  readonly intentId: string;
  /** Something of its name is at the source, or at the primary that an empty stand-in hides. */
  readonly exists: 'here' | 'at-the-primary' | 'no';
  /** How late the request was for what was promised, if it was. */
  readonly lateMs: number;
}

/** A registration that got another name. */
export interface Repointed {
  readonly world: World;
  readonly request: RepointRequest;
}

/** Registrations that are about to come back, and what was attached to them when they went. */
export interface Restored {
  readonly request: RestoreRequest;
  readonly attached: ReadonlyMap<string, Attachments>;
}

/** Looks at each thing that the registry does, at the moment at which it does it. */
export interface Onlooker {
  readonly removed: (one: Removed) => Promise<void>;
  readonly repointed: (one: Repointed) => Promise<void>;
  readonly restored: (one: Restored) => void;
}

/** The registry of all simulated catalogs: honest, unless it was told how to treat the next request. */
export function simulatedRegistry(simulation: Simulation, onlooker: Onlooker): Registry {
  const inner = worldRegistry(...simulation.worlds);
  const worldOf = ({ catalog }: { readonly catalog: string }): World => {
    const world = simulation.worlds.find((each) => each.catalog === catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    return world;
  };

  const remove: Registry['remove'] = async (request) => {
    const world = worldOf(request);
    const known = new Map(
      itAndInside(world, request).map((one) => [one.id, { registration: one, exists: existence(simulation, one) }]),
    );
    const before = world.removals.length;
    const answer = await inner.remove(request);
    const lateMs = Math.max(0, simulation.now() - request.notAfter - requestTimeoutMs);
    for (const { id } of world.removals.slice(before)) {
      const fact = known.get(id);
      if (fact === undefined) throw new Error(`${id} was removed with ${pathText(request.path)}, and is not inside it`);
      await onlooker.removed({ world, intentId: request.intentId, lateMs, ...fact });
    }
    return answer;
  };
  const repoint: Registry['repoint'] = async (request) => {
    const answer = await inner.repoint(request);
    if (answer.outcome === 'repointed') await onlooker.repointed({ world: worldOf(request), request });
    return answer;
  };

  const restore: Registry['restore'] = async (request) => {
    const buried = worldOf(request).buried;
    const attached = new Map([...buried].map(([id, { registration }]) => [id, registration.attachments]));
    const answer = await inner.restore(request);
    if (answer.outcome === 'restored') onlooker.restored({ request, attached });
    return answer;
  };

  /** A registry that takes its time asks the source itself before it lets go: nothing may have come back since. */
  const removeLater = (request: RemoveRequest): (() => Promise<void>) => {
    const before = identities(simulation);
    return async () => {
      const gone = itAndInside(worldOf(request), request).every((one) => existence(simulation, one) === 'no');
      const cameBack = [...identities(simulation)].some((uid) => !before.has(uid));
      if (gone && !cameBack) await remove(request);
    };
  };
  const repointLater = (request: RepointRequest) => async (): Promise<void> => {
    const { objects } = worldOf(request);
    if (objects.has(pathText(request.to)) && !objects.has(pathText(request.path))) await repoint(request);
  };

  return {
    ...inner,
    capabilities: { ...inner.capabilities, exclusive: simulation.beginning.exclusive },
    restore,
    remove: (request) =>
      inItsMood(simulation, request, { now: remove, later: removeLater, done: { outcome: 'removed', entities: 1 } }),
    repoint: (request) =>
      inItsMood(simulation, request, {
        now: repoint,
        later: repointLater,
        done: { outcome: 'repointed', entities: 1 },
      }),
  };
}

/** What the next request meets: the registry as it is, or in the mood that it was told. */
async function inItsMood<Request extends { readonly notAfter: number }, Answer>(
  simulation: Simulation,
  request: Request,
  act: {
    readonly now: (request: Request) => Promise<Answer>;
    readonly later: (request: Request) => () => Promise<void>;
    readonly done: Answer;
  },
): Promise<Answer | Refused> {
  const next = simulation.moods.shift();
  // whatever its mood: in it is the one promise that no registry breaks
  if (simulation.now() > request.notAfter) return { outcome: 'refused', reason: 'the request came too late' };
  /** Begun in time and done at last, whoever waits for it. */
  const later = (lateMs: number): void => {
    const latest = request.notAfter + requestTimeoutMs - 1;
    simulation.later(Math.min(simulation.now() + lateMs, latest), act.later(request));
  };
  switch (next?.mood) {
    case undefined:
      return act.now(request);
    case 'refuses':
      return { outcome: 'refused', reason: 'not now' };
    case 'says-done':
      return act.done;
    case 'says-refused':
      await act.now(request);
      return { outcome: 'refused', reason: 'so it says' };
    case 'loses':
      throw noAnswer();
    case 'does-it-without-answer':
      await act.now(request);
      throw noAnswer();
    case 'answers-unknown':
      later(next.lateMs);
      return { outcome: 'unknown', reason: 'the registry does not know' };
    case 'late':
      later(next.lateMs);
      throw noAnswer();
  }
}

type Refused =
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

function noAnswer(): ReconcilerFailure {
  return new ReconcilerFailure('RegistryUnreachable', 'no-answer', 'the registry did not answer');
}

function itAndInside(world: World, { id, path }: RemoveRequest): readonly WorldRegistration[] {
  return [...world.registrations.values()].filter((one) => one.id === id || isInside(one.path, path));
}

function identities({ worlds }: Simulation): ReadonlySet<string> {
  return new Set([...(worlds[0]?.objects.values() ?? [])].map(({ uid }) => uid));
}

function existence({ conditions, worlds }: Simulation, { path }: WorldRegistration): Removed['exists'] {
  const objects = worlds[0]?.objects ?? new Map();
  if (objects.has(pathText(path))) return 'here';
  return objects.size === 0 && conditions.primary?.has(pathText(path)) === true ? 'at-the-primary' : 'no';
}

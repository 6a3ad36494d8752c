import type { Path } from '../../src/domain/path.ts';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import { hour, t0 } from '../support/builders.ts';
import { World, type WorldObject } from '../support/world/world.ts';
import type { Beginning, Mood, PolicyChange, Proxying } from './history.ts';

/** Rounds are an hour apart unless a history says otherwise. */
export const intervalMs = hour;

/** Where nothing but a change can be expected, whoever asks. */
interface SourceConditions {
  readonly denied: Set<string>;
  readonly hidden: Set<string>;
  /** Told to rounds as absent although they are there. */
  readonly lies: Set<string>;
  proxy: Proxying | undefined;
  /** What the primary holds, while an empty stand-in answers under the same or another fingerprint. */
  primary: ReadonlyMap<string, WorldObject> | undefined;
}

/** The whole simulated world: one source, one or two catalogs on it, what is under way, and the one clock. */
export class Simulation {
  readonly worlds: readonly World[];
  readonly beginning: Beginning;
  readonly conditions: SourceConditions = {
    denied: new Set(),
    hidden: new Set(),
    lies: new Set(),
    proxy: undefined,
    primary: undefined,
  };
  /** Objects that were dropped, to be brought back. */
  readonly dropped: WorldObject[] = [];
  /** What the registry does with the next removals. */
  readonly moods: { readonly mood: Mood; readonly lateMs: number }[] = [];
  /** How people last saw findings, for decisions that come late. */
  readonly seen = new Map<string, string>();
  requests = 0;
  readonly #clock: (() => number) | undefined;
  #now: number;
  #pending: { readonly at: number; readonly run: () => Promise<void> }[] = [];

  /**
   * @param prefix makes the catalogs' names their own, since histories share a ledger
   * @param clock another clock than the simulation's own, which then stands still
   */
  constructor(prefix: string, beginning: Beginning, clock?: () => number) {
    this.beginning = beginning;
    this.#clock = clock;
    this.#now = clock?.() ?? t0;
    const first = new World(`${prefix}a`);
    this.worlds = beginning.twoCatalogs ? [first, new World(`${prefix}b`, first)] : [first];
    for (const [index, world] of this.worlds.entries()) {
      world.managedKinds = beginning.managedViews ? ['view'] : [];
      for (const path of firstPaths(beginning, index)) {
        const view = beginning.views && path[1] !== undefined && path[1].endsWith('2');
        world.create(path, path.length === 1 || path.at(-1) === 'inner' ? 'schema' : view ? 'view' : 'table');
        const attended = beginning.attended && path.length > 1;
        world.register(path, attended ? { owner: 'somebody', tags: ['pii'] } : {}, this.#now - 48 * hour);
      }
    }
  }

  now = (): number => this.#clock?.() ?? this.#now;

  world(pick: number): World {
    const world = this.worlds[pick % this.worlds.length];
    if (world === undefined) throw new Error('a simulation without a world');
    return world;
  }

  /** Moves the clock, backwards too; what is under way arrives at its own time. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    const arriving = this.#pending.filter(({ at }) => at <= target).sort((a, b) => a.at - b.at);
    this.#pending = this.#pending.filter(({ at }) => at > target);
    for (const { at, run } of arriving) {
      this.#now = Math.max(this.#now, at);
      await run();
    }
    this.#now = target;
  }

  /** Something that the registry does later, whatever became of whoever asked for it. */
  later(at: number, run: () => Promise<void>): void {
    this.#pending.push({ at, run });
  }
}

function firstPaths({ schemas, tables, nested }: Beginning, catalog: number): readonly Path[] {
  const paths: Path[] = [];
  for (let schema = 0; schema < schemas; schema += 1) {
    // the second catalog registers objects of its own on the same source
    const name = `${catalog === 0 ? 's' : 'u'}${schema}`;
    paths.push([name]);
    for (let table = 0; table < tables; table += 1) paths.push([name, `t${table}`]);
    if (nested && schema === 0) paths.push([name, 'inner'], [name, 'inner', 't0']);
  }
  return paths;
}

/** A policy with what the history changes of it. */
export function changed(policy: Policy, change: PolicyChange): Policy {
  const { mode, misses, graceHours, minimumAgeHours, approveAttended, approvalHours, minCount, maxShare } = change;
  const { perRound, perDay, fourEyes, include, exclude, protect } = change;
  return {
    ...policy,
    ...(mode === undefined ? {} : { mode }),
    ...(misses === undefined ? {} : { misses }),
    ...(graceHours === undefined ? {} : { graceMs: graceHours * hour }),
    ...(minimumAgeHours === undefined ? {} : { minimumAgeMs: minimumAgeHours * hour }),
    ...(approveAttended === undefined ? {} : { approveAttended }),
    ...(approvalHours === undefined ? {} : { approvalTtlMs: approvalHours * hour }),
    ...(perRound === undefined ? {} : { removalsPerRound: perRound }),
    ...(perDay === undefined ? {} : { removalsPerDay: perDay }),
    ...(fourEyes === undefined ? {} : { fourEyes }),
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(protect === undefined ? {} : { protect }),
    guard: {
      ...policy.guard,
      ...(minCount === undefined ? {} : { minCount }),
      ...(maxShare === undefined ? {} : { maxShare }),
    },
  };
}

export function firstPolicy(beginning: Beginning): Policy {
  return changed(defaultPolicy, beginning.policy);
}

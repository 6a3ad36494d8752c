import type { CatalogName } from '../contract/names.ts';
import type { Wanted } from './desired.ts';
import { type Change, diffSchedules, type Existing } from './diff.ts';

/** A schedule as it is, with its times in Unix milliseconds. */
export interface Running extends Existing {
  /** The next times, jitter included; a paused schedule has them too. */
  readonly next: readonly number[];
  readonly last?: number;
  /** Times that passed while nobody could act on them, longer than the catch-up window. */
  readonly missed: number;
}

/** A schedule as it should be beside what there is. */
export interface ShownSchedule {
  readonly scheduleId: string;
  readonly name: CatalogName;
  readonly wanted?: Wanted;
  readonly existing?: Running;
  /** What applying would do; absent where nothing should run and nothing is there. */
  readonly change?: Change['kind'];
}

/** Wanted ones in their order, then those that nobody wants any more. */
export function compareSchedules(wanted: readonly Wanted[], existing: readonly Running[]): readonly ShownSchedule[] {
  const there = new Map(existing.map((schedule) => [schedule.scheduleId, schedule]));
  const changes = new Map(diffSchedules(wanted, existing).map(({ scheduleId, kind }) => [scheduleId, kind]));
  const asked = wanted.map((schedule) => shown(schedule.scheduleId, schedule.name, { wanted: schedule }));
  const known = new Set(wanted.map(({ scheduleId }) => scheduleId));
  const others = existing.filter(({ scheduleId }) => !known.has(scheduleId));
  return [...asked, ...others.map(({ scheduleId, name }) => shown(scheduleId, name, {}))];

  function shown(scheduleId: string, name: CatalogName, rest: Pick<ShownSchedule, 'wanted'>): ShownSchedule {
    const is = there.get(scheduleId);
    const change = changes.get(scheduleId);
    return {
      scheduleId,
      name,
      ...rest,
      ...(is === undefined ? {} : { existing: is }),
      ...(change === undefined ? {} : { change }),
    };
  }
}

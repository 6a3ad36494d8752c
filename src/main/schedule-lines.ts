import type { ShownSchedule } from '../schedules/show.ts';
import type { AppliedAll } from './schedules.ts';
import { table } from './terminal/table.ts';
import { moment } from './terminal/times.ts';

/** What `schedules apply` did, a line a catalog. */
export function appliedLines({ policies, schedules }: AppliedAll): readonly string[] {
  const changes = new Map(schedules.map(({ name, change, failure }) => [key(name), failure ?? change]));
  const rows = policies.map((policy) => [
    policy.changed ? `version ${policy.version}, new` : `version ${policy.version}`,
    changes.get(key(policy)) ?? 'as wanted',
    key(policy),
  ]);
  const gone = schedules
    .filter(({ name }) => !policies.some((policy) => key(policy) === key(name)))
    .map(({ name, change, failure }) => ['-', failure ?? change, key(name)]);
  return table(['POLICY', 'SCHEDULE', 'CATALOG'], [...rows, ...gone]);
}

/** What is configured beside what there is, a line a catalog. */
export function shownLines(shown: readonly ShownSchedule[]): readonly string[] {
  return table(
    ['WANTED', 'IS', 'NEXT', 'APPLY WOULD', 'CATALOG'],
    shown.map(({ name, wanted, existing, change }) => [
      wanted?.enabled === true ? 'on' : 'off',
      existing === undefined ? 'none' : existing.paused ? 'paused' : 'runs',
      existing === undefined || existing.paused ? '-' : moment(existing.next[0]),
      change ?? 'change nothing',
      key(name),
    ]),
  );
}

function key({ metalake, catalog }: { readonly metalake: string; readonly catalog: string }): string {
  return `${metalake}/${catalog}`;
}

import type { ShownSchedule } from '../schedules/show.ts';
import type { AppliedAll } from './schedules.ts';
import { table } from './terminal/table.ts';
import { moment } from './terminal/times.ts';

/** What `schedules apply` did, a line a catalog. */
export function appliedLines({ policies, schedules }: AppliedAll): readonly string[] {
  const changes = new Map(schedules.map(({ name, change, failure }) => [key(name), failure ?? change]));
  const rows = policies.map((policy) => [
    `version ${policy.version}${policy.changed ? ', new' : ''}${policy.changedOverApi ? ', changed over the API' : ''}`,
    changes.get(key(policy)) ?? 'as wanted',
    key(policy),
  ]);
  const gone = schedules
    .filter(({ name }) => !policies.some((policy) => key(policy) === key(name)))
    .map(({ name, change, failure }) => ['-', failure ?? change, key(name)]);
  return table(['POLICY', 'SCHEDULE', 'CATALOG'], [...rows, ...gone]);
}

/** A schedule, and the policy that its rounds go by. */
export interface ShownCatalog extends ShownSchedule {
  readonly policy: { readonly version: number; readonly changedOverApi: boolean };
}

/** What is configured beside what there is, a line a catalog. */
export function shownLines(shown: readonly ShownCatalog[]): readonly string[] {
  return table(
    ['WANTED', 'IS', 'NEXT', 'APPLY WOULD', 'POLICY', 'CATALOG'],
    shown.map(({ name, wanted, existing, change, policy }) => [
      wanted?.enabled === true ? 'on' : 'off',
      existing === undefined ? 'none' : existing.paused ? 'paused' : 'runs',
      existing === undefined || existing.paused ? '-' : moment(existing.next[0]),
      change ?? 'change nothing',
      `${policy.version}${policy.changedOverApi ? ', by API' : ''}`,
      key(name),
    ]),
  );
}

function key({ metalake, catalog }: { readonly metalake: string; readonly catalog: string }): string {
  return `${metalake}/${catalog}`;
}

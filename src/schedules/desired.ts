import { createHash } from 'node:crypto';
import { type CatalogName, scheduleId } from '../contract/names.ts';
import type { TickInput } from '../contract/round-messages.ts';

/** When one catalog should be reconciled; what `policyFor` answers fits. */
export interface ScheduleRequest {
  readonly name: CatalogName;
  readonly enabled: boolean;
  readonly schedule: { readonly intervalMs: number } | { readonly cron: string };
  /** The shortest gap between two rounds. */
  readonly intervalMs: number;
  readonly jitterPercent: number;
}

/** One schedule as it should be. */
export interface Wanted {
  readonly scheduleId: string;
  readonly name: CatalogName;
  readonly enabled: boolean;
  readonly times: { readonly everyMs: number; readonly offsetMs: number } | { readonly cron: string };
  readonly jitterMs: number;
  readonly catchupWindowMs: number;
  readonly tick: TickInput;
  /** Of all of the above but `enabled`; kept on the server, so that an equal schedule is recognised and left alone. */
  readonly digest: string;
}

export function wantedSchedules(requests: readonly ScheduleRequest[]): readonly Wanted[] {
  return requests.map(wantedSchedule);
}

function wantedSchedule({ name, enabled, schedule, intervalMs, jitterPercent }: ScheduleRequest): Wanted {
  const id = scheduleId(name);
  const times =
    'cron' in schedule
      ? { cron: schedule.cron.trim() }
      : { everyMs: schedule.intervalMs, offsetMs: offsetMs(id, schedule.intervalMs) };
  const jitterMs = Math.floor((intervalMs * jitterPercent) / 100);
  const spec = {
    times,
    jitterMs: 'cron' in times ? Math.min(jitterMs, longestCronJitterMs) : jitterMs,
    // a round that was missed by more is better left to the next one
    catchupWindowMs: intervalMs,
    tick: { v: 1, metalake: name.metalake, catalog: name.catalog, intervalMs } as const,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([generation, id, spec]))
    .digest('hex')
    .slice(0, 32);
  return { scheduleId: id, name, enabled, ...spec, digest };
}

/**
 * Where in the interval a catalog has its time: always the same for one catalog, spread over all of them, in whole
 * seconds.
 */
function offsetMs(id: string, intervalMs: number): number {
  const hash = createHash('sha256').update(id).digest().readUInt32BE();
  return (hash % Math.max(1, Math.floor(intervalMs / 1_000))) * 1_000;
}

/** Whoever writes a cron expression named a time; five minutes still keep catalogs of the same time apart. */
const longestCronJitterMs = 5 * 60_000;

/** Raise it whenever `apply.ts` writes the same wanted schedule in another way, or old ones stay as they are. */
const generation = 1;

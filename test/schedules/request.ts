import type { ScheduleRequest } from '../../src/schedules/desired.ts';

/** An enabled catalog, reconciled every hour. */
export function request(catalog: string, more: Partial<ScheduleRequest> = {}): ScheduleRequest {
  return {
    name: { metalake: 'lake', catalog },
    enabled: true,
    schedule: { intervalMs: 3_600_000 },
    intervalMs: 3_600_000,
    jitterPercent: 20,
    ...more,
  };
}

import type { Policy } from './policy.ts';

/** Registrations of a catalog that went, whatever was inside containers included. */
export interface Removed {
  /** Since the published round was published. */
  readonly inRound: number;
  /** In the last {@link dayMs}. */
  readonly inDay: number;
}

export type RemovalLimit = 'round-limit' | 'day-limit';

export type Limits = Pick<Policy, 'removalsPerRound' | 'removalsPerDay'>;

/** The window of the limit per day, which slides: no calendar day begins at once for everybody. */
export const dayMs = 24 * 3_600_000;

/** The limit that so many registrations would pass if they went now. */
export function limitReached(registrations: number, removed: Removed, limits: Limits): RemovalLimit | undefined {
  if (removed.inRound + registrations > limits.removalsPerRound) return 'round-limit';
  if (removed.inDay + registrations > limits.removalsPerDay) return 'day-limit';
  return undefined;
}

/** The limit that so many registrations pass by themselves: no wait helps, only a higher limit. */
export function limitOutgrown(registrations: number, limits: Limits): RemovalLimit | undefined {
  return limitReached(registrations, { inRound: 0, inDay: 0 }, limits);
}

/** How many registrations may still go now. */
export function roomLeft(removed: Removed, { removalsPerRound, removalsPerDay }: Limits): number {
  return Math.max(0, Math.min(removalsPerRound - removed.inRound, removalsPerDay - removed.inDay));
}

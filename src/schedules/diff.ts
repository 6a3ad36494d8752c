import type { CatalogName } from '../contract/names.ts';
import type { Wanted } from './desired.ts';

/** One schedule as it is. */
export interface Existing {
  readonly scheduleId: string;
  readonly name: CatalogName;
  /** What it was written from; absent for one that somebody else wrote. */
  readonly digest?: string;
  readonly paused: boolean;
  readonly note?: string;
}

export type Change =
  | {
      readonly kind: 'create' | 'update';
      readonly scheduleId: string;
      readonly name: CatalogName;
      readonly wanted: Wanted;
    }
  | {
      readonly kind: 'pause' | 'resume';
      readonly scheduleId: string;
      readonly name: CatalogName;
      readonly note: string;
    }
  /** Not touched at all: on older servers, one written anew between its nominal and its jittered time loses that run. */
  | { readonly kind: 'keep'; readonly scheduleId: string; readonly name: CatalogName };

/** What has to be done, one change per schedule; nothing for one that is neither wanted to run nor there. */
export function diffSchedules(wanted: readonly Wanted[], existing: readonly Existing[]): readonly Change[] {
  const there = new Map(existing.map((schedule) => [schedule.scheduleId, schedule]));
  const asked = new Set(wanted.map((schedule) => schedule.scheduleId));
  return [
    ...wanted.flatMap((schedule) => changeFor(schedule, there.get(schedule.scheduleId)) ?? []),
    ...existing.filter(({ scheduleId }) => !asked.has(scheduleId)).map((schedule) => paused(schedule, notes.gone)),
  ];
}

function changeFor(wanted: Wanted, existing: Existing | undefined): Change | undefined {
  const { scheduleId, name } = wanted;
  if (existing === undefined) return wanted.enabled ? { kind: 'create', scheduleId, name, wanted } : undefined;
  if (!wanted.enabled) return paused(existing, notes.disabled);
  // an update lifts our own pause as well
  if (existing.digest !== wanted.digest) return { kind: 'update', scheduleId, name, wanted };
  if (isPausedByUs(existing)) return { kind: 'resume', scheduleId, name, note: notes.enabled };
  return { kind: 'keep', scheduleId, name };
}

function paused({ scheduleId, name, paused }: Existing, note: string): Change {
  return paused ? { kind: 'keep', scheduleId, name } : { kind: 'pause', scheduleId, name, note };
}

/** Whether we may lift a pause. One of an operator's stays until an operator lifts it. */
export function isPausedByUs({ paused, note }: { readonly paused: boolean; readonly note?: string }): boolean {
  return paused && (note === notes.disabled || note === notes.gone);
}

const notes = {
  disabled: 'Paused by catalog-reconciler: reconcile.enabled is false',
  gone: 'Paused by catalog-reconciler: the catalog is not configured any more',
  enabled: 'Resumed by catalog-reconciler: reconcile.enabled is true',
} as const;

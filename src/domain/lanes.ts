/** Half-open range of snapshot rows: `from` is in it, `to` is not. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** More would not make a source quicker, and each one is a connection. */
export const maxLanes = 4;

/** A lane shorter than this is not worth its activity. */
const rowsWorthALane = 500;

/** Cuts the snapshot into as many equal ranges as there are lanes. */
export function cutLanes(rows: number, wanted: number = maxLanes): readonly RowRange[] {
  if (rows <= 0) return [];
  const lanes = Math.max(1, Math.min(wanted, maxLanes, Math.ceil(rows / rowsWorthALane)));
  return Array.from({ length: lanes }, (_unused, lane) => ({
    from: Math.floor((rows * lane) / lanes),
    to: Math.floor((rows * (lane + 1)) / lanes),
  }));
}

/** At most so many probe activities a round, which bounds its history. */
export const maxRanges = 500;

const shortestRangeMs = 10_000;

/**
 * How long one probe activity may work before it hands back its cursor. Ten seconds keep a crash cheap; a round that
 * turns out to be very long takes longer bites, so that its history stays bounded.
 *
 * @param rangesSoFar probe activities that this round has finished
 */
export function rangeBudgetMs(rangesSoFar: number): number {
  const doublings = Math.max(0, Math.floor((rangesSoFar - 100) / 100));
  return shortestRangeMs * 2 ** Math.min(doublings, 4);
}

/** One measured number. With a bar, it passes up to and including the bar; without one it is there for scale. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: number | null;
  readonly pass: boolean | null;
}

/** Two digits behind the point: more would be noise. */
export function figure(name: string, measured: number, unit: string, bar?: number): Figure {
  const value = Math.round(measured * 100) / 100;
  return { name, value, unit, bar: bar ?? null, pass: bar === undefined ? null : value <= bar };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError('a median of nothing');
  const below = sorted.length % 2 === 0 ? sorted[sorted.length / 2 - 1] : undefined;
  return below === undefined ? middle : (below + middle) / 2;
}

/** The smallest of them that so large a part is not greater than. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('a quantile of nothing');
  return value;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

/** The figures as a table for a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = [
    ['', 'value', '', 'bar', ''],
    ...figures.map(({ name, value, unit, bar, pass }) => [
      name,
      String(value),
      unit,
      bar === null ? '' : `<= ${bar}`,
      pass === null ? '' : pass ? 'ok' : 'MISSED',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((cells) => cells.map(padded).join('  ').trimEnd()).join('\n');
}

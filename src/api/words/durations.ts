const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A length of time as people say it: the two largest units, `1 d 4 h`. */
export function lengthInWords(ms: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, ms);
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** The same without loss: in the largest unit that leaves no rest. */
export function exactLength(ms: number): string {
  for (const [unit, size] of units) if (ms >= size && ms % size === 0) return `${ms / size} ${unit}`;
  return `${ms} ms`;
}

/** A moment in ISO form, to the second. */
export function momentInWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

import { invalid } from '../wire/fields.ts';

const served: readonly (readonly [major: number, minor: number])[] = [[1, 0]];

/**
 * The highest version that is served and that the caller's list covers: an entry `major.minor` stands for every minor up
 * to its own. What does not parse is skipped.
 */
export function negotiate(offered: string): string {
  const entries = offered.split(',').flatMap((entry) => {
    const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(entry.trim()) ?? [];
    return major === undefined || minor === undefined ? [] : [{ major: Number(major), minor: Number(minor) }];
  });
  const common = served.filter(([major, minor]) =>
    entries.some((entry) => entry.major === major && entry.minor >= minor),
  );
  const best = common.toSorted((one, other) => other[0] - one[0] || other[1] - one[1])[0];
  if (best !== undefined) return text(best);
  throw invalid(`No common protocol version: the server has ${served.map(text).join(', ')}.`);
}

function text([major, minor]: readonly [number, number]): string {
  return `${major}.${minor}`;
}

import { type Path, pathText } from '../../domain/path.ts';

/**
 * What a catalog does to names. `lower` and `upper` change them, as the source itself does; `insensitive` keeps the
 * first spelling and compares without regard to case; `sensitive` takes every name as it is.
 */
export type CaseRule = 'sensitive' | 'lower' | 'upper' | 'insensitive';

/** The spelling under which the catalog keeps a path. Unicode's own mapping, whatever the language of the machine. */
export function spelled(rule: CaseRule, path: Path): Path {
  if (rule === 'lower') return mapped(path, (name) => name.toLowerCase());
  if (rule === 'upper') return mapped(path, (name) => name.toUpperCase());
  return path;
}

/** The key under which a path is found where case does not count; `undefined` where the spelling itself is the key. */
export function foldedKey(rule: CaseRule, path: Path): string | undefined {
  return rule === 'insensitive' ? pathText(mapped(path, (name) => name.toLowerCase())) : undefined;
}

function mapped([first, ...rest]: Path, change: (name: string) => string): Path {
  return [change(first), ...rest.map(change)];
}

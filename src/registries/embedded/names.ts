import { type Path, pathText } from '../../domain/path.ts';
import type { EntityKind } from '../../domain/registration.ts';

/** Longer than any source allows (Delta 255, Kafka 249, PostgreSQL 63), and a page can still show it. */
export const longestName = 255;

/** More levels than any known catalog nests, few enough for one URL segment. */
export const deepestPath = 32;

/**
 * Bytes of a whole path's key. PostgreSQL refuses index rows above about 2,700 bytes; the catalog's id and the name
 * space share that row.
 */
export const longestPathKey = 2_400;

/** Separates the levels of a schema inside one URL segment, so that no level may contain it. */
const levelSeparator = '\u001f';

/**
 * Why nothing can be registered under this path, in words; `undefined` for a good one. One rule for every verb, so that
 * whatever was created can also be read, renamed and dropped.
 */
export function pathProblem(kind: EntityKind, path: Path): string | undefined {
  if (path.length > deepestPath) return `a path has at most ${deepestPath} levels`;
  if ((kind === 'table' || kind === 'view') && path.length < 2) return `a ${kind} lies in a schema`;
  for (const [level, name] of path.entries()) {
    const isSchemaLevel = kind === 'schema' || level < path.length - 1;
    const problem = nameProblem(name) ?? (isSchemaLevel ? levelProblem(name) : undefined);
    if (problem !== undefined) return problem;
  }
  return keyProblem(pathText(path));
}

/** Why a name of a metalake, a catalog or one level of a path cannot be; `undefined` for a good one. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'a name is not empty';
  if (name.length > longestName) return `a name has at most ${longestName} characters`;
  if (name.includes('\u0000')) return 'a name holds no NUL character';
  // A lone surrogate would be stored and sent as U+FFFD, which is another name.
  if (/\p{Surrogate}/u.test(name)) return 'a name is well-formed Unicode';
  return undefined;
}

/** Why a path's key cannot be stored; `undefined` for a good one. */
export function keyProblem(pathKey: string): string | undefined {
  return Buffer.byteLength(pathKey) > longestPathKey ? `a path has at most ${longestPathKey} bytes` : undefined;
}

function levelProblem(name: string): string | undefined {
  return name.includes(levelSeparator) ? 'the name of a schema holds no U+001F, which separates levels' : undefined;
}

import { type Path, pathText } from './path.ts';

/** Why something inside keeps its container registered. */
export type InsideBlock =
  | 'not-absent'
  | 'managed'
  | 'protected'
  | 'excluded'
  | 'out-of-scope'
  | 'kept'
  | 'rejected'
  | 'too-young';

/** The first thing inside a container that blocks it. */
export interface Blocker {
  readonly path: Path;
  readonly why: InsideBlock;
}

/**
 * The outermost absent container of a path, itself not counted: the one whose removal carries this registration.
 *
 * @param isAbsentContainer whether the round judged the registration at this path text absent
 */
export function carrierOf(path: Path, isAbsentContainer: (pathText: string) => boolean): string | undefined {
  for (let depth = 1; depth < path.length; depth += 1) {
    const text = pathText(path.slice(0, depth));
    if (isAbsentContainer(text)) return text;
  }
  return undefined;
}

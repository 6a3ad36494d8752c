import { type JSONVisitor, visit } from 'jsonc-parser';

/** No request of ours is nested deeper than a few levels; what is, is meant to hurt. */
const deepestOfOurs = 32;

/**
 * What is wrong with a JSON text beyond its grammar: a key that an object has twice, of which everybody who reads it
 * would have to guess the same one, or more levels than any request has. `undefined` where nothing is, and where the
 * text is not JSON at all.
 */
export function shapeProblem(text: string, deepest: number = deepestOfOurs): string | undefined {
  const tooDeep = `more than ${deepest} levels deep`;
  const open: Set<string>[] = [];
  let depth = 0;
  let problem: string | undefined;
  const enter = (): boolean => {
    depth += 1;
    if (depth > deepest) problem ??= tooDeep;
    return problem === undefined;
  };
  const leave = (): void => {
    depth -= 1;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: () => {
      open.push(new Set());
      return enter();
    },
    onObjectProperty: (key) => {
      const keys = open.at(-1);
      if (keys?.has(key)) problem ??= `has the key ${JSON.stringify(key.slice(0, 100))} twice in one object`;
      keys?.add(key);
    },
    onObjectEnd: () => {
      open.pop();
      leave();
    },
    onArrayBegin: enter,
    onArrayEnd: leave,
  };
  try {
    visit(text, visitor);
  } catch (error) {
    // it walks by calling itself: of a text that is deep enough it never sees the end
    if (!(error instanceof RangeError)) throw error;
    problem ??= tooDeep;
  }
  return problem;
}

/**
 * The full name of an object inside its catalog, outermost level first: `['sales', 'orders']`. Held as an array
 * everywhere, because a name may hold any character, a dot included.
 */
export type Path = readonly [string, ...string[]];

// Percent and slash carry meaning in the text form; control characters (NUL above all) do not fit a text column;
// a lone surrogate would be sent as U+FFFD and thereby become another name.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is searched for
const unsafe = /[%/\u0000-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code > 0xff ? `%u${code.toString(16).toUpperCase()}` : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * One text for one path, reversible: segments joined by `/`, with `%` and `/` inside a segment escaped. It is the key
 * of a registration in the ledger, in addresses of the API and on the command line.
 */
export function pathText(path: readonly string[]): string {
  return path.map((segment) => segment.replace(unsafe, escapeUnit)).join('/');
}

/** The path that {@link pathText} wrote; `undefined` where the text is not one that it writes. */
export function parsePathText(text: string): Path | undefined {
  const segments = text
    .split('/')
    .map((segment) =>
      segment.replace(/%u([0-9A-F]{4})|%([0-9A-F]{2})/g, (_all, wide?: string, narrow?: string) =>
        String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
      ),
    );
  const [first, ...rest] = segments;
  if (first === undefined) return undefined;
  const path: Path = [first, ...rest];
  return pathText(path) === text ? path : undefined;
}

/** The container of a path; `undefined` for an outermost one. */
export function parentPath(path: Path): Path | undefined {
  const [first, ...rest] = path.slice(0, -1);
  return first === undefined ? undefined : [first, ...rest];
}

/**
 * The bounds, both exclusive, between which the texts of everything inside `container` lie when compared by code
 * point: `/` is followed by `0`.
 */
export function insideBounds(container: Path): { readonly above: string; readonly below: string } {
  const text = pathText(container);
  return { above: `${text}/`, below: `${text}0` };
}

/** Whether `path` lies inside `container`, at any depth. */
export function isInside(path: Path, container: Path): boolean {
  return path.length > container.length && container.every((segment, level) => path[level] === segment);
}

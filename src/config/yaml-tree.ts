import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Problem } from './problem.ts';

/** A value of the file and where it stands. */
export interface Written {
  readonly line: number;
  /** As plain data. */
  readonly value: unknown;
  /** Its keys, where it is a mapping. */
  readonly entries?: ReadonlyMap<string, Written>;
}

/**
 * Reads YAML 1.2, one document, into a tree that knows its lines. Keys are taken as they are spelled: a catalog named
 * `1e3` is not the catalog `1000`. A key that is written twice is a problem, not the later of the two.
 */
export function readYaml(
  text: string,
  file: string,
): { readonly root: Written; readonly problems: readonly Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const problems = faults.map(({ message, pos }) => ({ where: `${file}:${lineAt(pos[0])}`, text: message }));
    return { root: { line: 1, value: undefined }, problems };
  }

  const problems: Problem[] = [];
  let nodes = 0;
  const read = (node: unknown, depth: number, above: number): Written => {
    nodes += 1;
    if (depth > deepest || nodes > mostNodes) throw new TooMuch();
    if (isAlias(node)) {
      const meant = node.resolve(document);
      if (meant !== undefined) return read(meant, depth + 1, above);
      const text = `*${node.source} refers to nothing: there is no &${node.source} before it`;
      problems.push({ where: `${file}:${above}`, text });
    }
    const line = rangeOf(node) === undefined ? above : lineAt(rangeOf(node) ?? 0);
    if (isSeq(node)) return { line, value: node.items.map((item) => read(item, depth + 1, line).value) };
    if (!isMap(node)) return { line, value: isScalar(node) ? node.value : undefined };
    const entries = new Map<string, Written>();
    for (const { key, value } of node.items) {
      const name = spelling(key);
      const at = lineAt(rangeOf(key) ?? 0);
      if (entries.has(name)) {
        const text = `is written twice, first in line ${entries.get(name)?.line}. Take one out`;
        problems.push({ where: `${file}:${at}`, key: name, text });
        continue;
      }
      entries.set(name, { ...read(value, depth + 1, at), line: at });
    }
    return { line, value: Object.fromEntries([...entries].map(([name, entry]) => [name, entry.value])), entries };
  };

  try {
    return { root: read(document.contents, 0, 1), problems };
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    const text = 'is nested too deep, or refers to itself too often, to be a configuration';
    return { root: { line: 1, value: undefined }, problems: [{ where: file, text }] };
  }
}

class TooMuch extends Error {}

function rangeOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

function spelling(key: unknown): string {
  if (!isScalar(key)) return String(key);
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

const deepest = 20; // the deepest key of ours is the eighth level
const mostNodes = 200_000; // some ten thousand catalogs; an alias inside an alias gets there with a few lines

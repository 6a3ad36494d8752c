/**
 * An aligned table. The last column is not padded and may be as long as it must: paths are written there whole, since
 * people copy them into the next command.
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [heads, ...rows];
  const widths = heads.map((_head, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) =>
    line
      .map((cell, column) => (column === heads.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Folds a text at blanks, so that no line is longer than `width` unless one word is. */
export function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** As wide as a terminal that nobody made larger. */
export const pageWidth = 80;

/** A text after its mark, folded below itself: `Held: …`. */
export function marked(mark: string, text: string): string[] {
  const indent = ' '.repeat(mark.length + 1);
  return folded(text, pageWidth - indent.length).map((line, index) => `${index === 0 ? `${mark} ` : indent}${line}`);
}

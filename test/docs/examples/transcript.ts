/** A command as typed at a prompt, and what came out. */
export interface Exchange {
  readonly command: string;
  readonly output: string;
}

/** Reads a block `$ command`, `> where it goes on`, then its output, and again. */
export function exchangesIn(body: string): readonly Exchange[] {
  const exchanges: { command: string; output: string[] }[] = [];
  for (const line of body.split('\n')) {
    const last = exchanges.at(-1);
    if (line.startsWith('$ ')) exchanges.push({ command: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`A block of examples begins with "$ command", not with: ${line}`);
    else if (line.startsWith('> ') && last.output.length === 0) last.command += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return exchanges.map(({ command, output }) => ({ command, output: output.join('\n').trimEnd() }));
}

/** The inverse of {@link exchangesIn}. */
export function transcriptOf(exchanges: readonly Exchange[]): string {
  return exchanges
    .flatMap(({ command, output }) => [`$ ${command.replaceAll('\n', '\n> ')}`, ...(output === '' ? [] : [output])])
    .join('\n');
}

// `npm run docs:examples [PAGE…]`: plays pages and writes what was seen in place of what is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { playedPages } from './pages.ts';
import { play } from './play.ts';

// the shell and the servers end at the exit of the process, which a signal alone does not bring about
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2);
for (const name of asked.length === 0 ? playedPages : asked) {
  const file = fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
  const { page, stale, failures } = await play(await readFile(file, 'utf8'));
  await writeFile(file, page);
  console.log(`${name}: ${stale.length} ${stale.length === 1 ? 'block' : 'blocks'} written anew`);
  for (const failure of failures) {
    console.error(failure);
    process.exitCode = 1;
  }
}

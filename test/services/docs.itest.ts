import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { playedPages } from '../docs/examples/pages.ts';
import { play } from '../docs/examples/play.ts';
import { comparable } from '../docs/examples/varying.ts';

/** A server, everything else in one process, some rounds and up to two hundred commands, on a busy machine. */
const timeout = 900_000;

test.each(playedPages)(
  'docs/%s shows what happens; `npm run docs:examples` writes it anew',
  { timeout },
  async (name) => {
    const page = await readFile(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
    const { stale, failures } = await play(page);
    expect(failures).toEqual([]);
    for (const { line, shown, seen } of stale) {
      expect.soft(comparable(seen), `docs/${name}, line ${line}`).toBe(comparable(shown));
    }
  },
);

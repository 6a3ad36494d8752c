import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { playedPages } from '../docs/examples/pages.ts';
import { play } from '../docs/examples/play.ts';
import { comparable } from '../docs/examples/varying.ts';

/** A server, everything else in one process, some rounds and up to two hundred commands, on a busy machine. */
const timeout = 900_000;

/** Programs of the examples that a machine may lack. */
const lacking = ['curl', 'jq'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
if (lacking.length > 0) console.warn(`NOT TESTED: the examples of docs/, because there is no ${lacking.join(', no ')}`);

test.skipIf(lacking.length > 0).each(playedPages)(
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

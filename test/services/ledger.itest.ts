import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe } from 'vitest';
import { keepTestLedgersOn } from '../support/ledger.ts';
import { PostgresServer } from '../support/postgres-server.ts';

// Every test of the ledger once more, on a real PostgreSQL: the files register their tests here, and open their ledger
// on this server instead of in memory. It sorts texts by the rules of a language, as most servers do.
const server = await PostgresServer.start();
await server.sql('create database ledger template template0 locale_provider icu icu_locale "en-US" locale "C.UTF-8"');
keepTestLedgersOn(server.url('ledger'));
afterAll(() => server.close());

const folder = fileURLToPath(new URL('../ledger/', import.meta.url));
const files = await readdir(folder, { recursive: true });
for (const file of files.filter((name) => name.endsWith('.test.ts')).sort()) {
  // a suite each, so that what a file does before each of its tests is not done before those of the others
  describe(file, async () => {
    await import(`${folder}${file}`);
  });
}

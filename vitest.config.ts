import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const globalSetup = 'test/support/global-setup.ts';

/** Rooms whose tests leave nothing behind in their process: loading everything anew for each file would triple their time. */
const together = [
  'activities',
  'api',
  'config',
  'contract',
  'delta',
  'docs',
  'domain',
  'ledger',
  'registries',
  'schedules',
];
const rooms = together.map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: existsSync(globalSetup) ? [globalSetup] : [],
    pool: 'forks',
    // two: enough for a small machine, and servers that tests start need the rest
    maxWorkers: 2,
    testTimeout: 60_000, // a busy machine is no failure; whatever waits has a bound of its own
    // the first test of a file may have to start a server
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'together', include: rooms, isolate: false } },
      // a process per file: Temporal's native runtime can be installed once per process
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: rooms } },
    ],
  },
});

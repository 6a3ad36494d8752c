import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const globalSetup = 'test/support/global-setup.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: existsSync(globalSetup) ? [globalSetup] : [],
    // a process per file: Temporal's native runtime can be installed once per process
    pool: 'forks',
    // two: enough for a small machine, and servers that tests start need the rest
    maxWorkers: 2,
    testTimeout: 60_000, // a busy machine is no failure; whatever waits has a bound of its own
    // the first test of a file may have to start a server
    hookTimeout: 120_000,
  },
});

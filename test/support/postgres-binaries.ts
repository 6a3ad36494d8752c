import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian keeps one folder per major version and puts none of it on the PATH. */
const debianFolder = '/usr/lib/postgresql/15/bin';
const needed = ['initdb', 'postgres', 'pg_basebackup'];

/** Whom the server runs as; it refuses to be root. `undefined`: as whoever runs the tests. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The folder of PostgreSQL's own programs: found, or Debian's package installed, or an error that says what to do. */
export async function postgresBinaries(): Promise<string> {
  const found = findFolder();
  if (found !== undefined) return found;
  await installDebianPackage();
  const installed = findFolder();
  if (installed !== undefined) return installed;
  throw new Error(`PostgreSQL could not be started: ${needed.join(', ')} are missing after the installation`);
}

/** As root: the account `postgres`, which Debian's package creates. */
export async function serverAccount(): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function findFolder(): string | undefined {
  const folders = [debianFolder, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => folder !== '' && needed.every((name) => existsSync(join(folder, name))));
}

async function installDebianPackage(): Promise<void> {
  const why = 'PostgreSQL could not be started: no initdb in ' + debianFolder + ' or on the PATH';
  if (process.getuid?.() !== 0) throw new Error(`${why}, and only root can install Debian's postgresql-15`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql-15'], { env });
  } catch (cause) {
    throw new Error(`${why}, and apt-get could not install postgresql-15`, { cause });
  }
}

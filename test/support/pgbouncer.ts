import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import getPort from 'get-port';
import { serverAccount } from './postgres-binaries.ts';
import type { PostgresServer } from './postgres-server.ts';
import { until } from './until.ts';

/** A pooler in front of a server, in transaction mode. */
export interface Pooler {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Where the program is; `undefined` where it is not installed, which a test has to say aloud. */
export function pgbouncerProgram(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file));
}

/** @param aliases name at the pooler → name at the server */
export async function startPooler(
  program: string,
  server: PostgresServer,
  aliases: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const account = await serverAccount(); // it refuses to be root, like the server
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-pgbouncer-'));
  const port = await getPort({ host: '127.0.0.1' });
  const target = `host=127.0.0.1 port=${server.port}`;
  const databases = Object.entries(aliases).map(([alias, name]) => `${alias} = ${target} dbname=${name}`);
  const users = join(folder, 'users.txt');
  const settings = [
    '[databases]',
    ...databases,
    '[pgbouncer]',
    'pool_mode = transaction',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    'query_wait_timeout = 1',
    'server_login_retry = 1',
    'default_pool_size = 2',
  ];
  await writeFile(users, `"postgres" "${server.password}"\n`);
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], { ...account, cwd: folder, stdio: 'pipe' });
  const said = collectOutput(child);
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  await until('pgbouncer listens', 10_000, () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer could not be started: ${said()}`);
    return said().includes('listening on');
  });
  return {
    host: '127.0.0.1',
    port,
    close: async () => {
      process.removeListener('exit', endWithUs);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
  }
  return () => text;
}

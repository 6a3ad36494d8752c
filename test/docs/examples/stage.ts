import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { PostgresServer } from '../../support/postgres-server.ts';
import { Shell } from './shell.ts';
import { StandIns } from './stand-ins.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** What a reader of a page has in front of him: a PostgreSQL server, a clone with its installed packages, and a shell. */
export interface Stage {
  readonly shell: Shell;
  readonly standIns: StandIns;
  /** Writes a file into the folder in which the commands run. */
  write(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const server = await PostgresServer.start();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  const [api, temporal, ui] = await Promise.all([freePort(), freePort(), freePort()]);
  await furnish(folder);
  const standIns = new StandIns([
    ['5432', String(server.port)],
    ['8080', api],
    ['7233', temporal],
    ['8233', ui],
    ['/home/ada/catalog-reconciler', folder],
    ['ada', userInfo().username],
  ]);
  const shell = new Shell(folder, {
    ...own(process.env),
    PGHOST: server.host,
    PGPORT: String(server.port),
    PGUSER: 'postgres',
    PGPASSWORD: server.password,
    PSQLRC: '/dev/null',
    RECONCILER_API: `http://127.0.0.1:${api}`,
    RECONCILER_SERVER_PORT: api,
    RECONCILER_TEMPORAL_PORT: temporal,
    RECONCILER_TEMPORAL_UI_PORT: ui,
    NO_COLOR: '1',
    TZ: 'UTC',
  });
  return {
    shell,
    standIns,
    async write(name, text) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    },
    async close() {
      await shell.close();
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As much of a clone as `npm start` and `npx catalog-reconciler` look at. */
async function furnish(folder: string): Promise<void> {
  const { version, scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'clone', version, private: true, scripts }));
  await symlink(join(root, 'scripts'), join(folder, 'scripts'));
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
  await writeFile(
    join(folder, 'node_modules', '.bin', 'catalog-reconciler'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist', 'main', 'cli.js')}" "$@"\n`,
    { mode: 0o755 },
  );
}

/** Settings of whoever runs the tests must not reach the examples, a real cluster's address least of all. */
function own(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(TEMPORAL|RECONCILER|DEMO|npm|PG)_?/i.test(name)),
  );
}

async function freePort(): Promise<string> {
  return String(await getPort({ host: '127.0.0.1' }));
}

import { execFile, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { fillCache, readCache } from '../../src/temporal/server-binary/binary-cache.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const version = '5.2.5';
const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'catalog-reconciler');

const entry = {
  name: `moto-${version}`,
  /** The folder to import from, if what lies there can be loaded. */
  prove: async (folder: string): Promise<string> => {
    await run('python3', ['-c', 'import moto.server'], {
      env: { ...process.env, PYTHONPATH: folder },
      timeout: 60_000,
    });
    return folder;
  },
};

/** The simulation of S3, fetched once per machine; throws with the reason where it cannot be. */
async function findMoto(): Promise<string> {
  try {
    return await readCache(cacheDir, entry);
  } catch {
    const fill = async (folder: string): Promise<void> => {
      const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
      await run(
        'python3',
        ['-m', 'pip', 'install', ...quiet, '--target', folder, `moto[s3]==${version}`, 'flask', 'flask-cors'],
        {
          timeout: 300_000,
        },
      );
    };
    return fillCache(cacheDir, { ...entry, fill });
  }
}

export interface Moto {
  readonly port: number;
  readonly endpoint: string;
  /** From now on a request counts for what its key may do; until then everybody may do everything. */
  readonly checkRights: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A server that speaks S3 and IAM on loopback, with everything in memory. */
export async function startMoto(): Promise<Moto> {
  const folder = await findMoto();
  const port = await getPort({ host: '127.0.0.1' });
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    env: { ...process.env, PYTHONPATH: folder, INITIAL_NO_AUTH_ACTION_COUNT: '999999999' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4_000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const isUp = () =>
    fetch(`${endpoint}/moto-api/`).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
  try {
    await until('moto answers', 60_000, async () => child.exitCode !== null || (await isUp()));
    if (child.exitCode !== null) throw new Error('moto ended');
  } catch (error) {
    await close();
    throw new Error(`moto did not start:\n${said}`, { cause: error });
  }
  return {
    port,
    endpoint,
    checkRights: async () => {
      const headers = { 'content-type': 'text/plain' };
      await fetch(`${endpoint}/moto-api/reset-auth`, { method: 'POST', headers, body: '0' });
    },
    close,
  };
}

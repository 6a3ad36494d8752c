import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { findPipPackage } from './pip-package.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const version = '5.2.5';

/** The simulation of S3. */
function findMoto(): Promise<string> {
  return findPipPackage({
    name: `moto-${version}`,
    install: [`moto[s3]==${version}`, 'flask', 'flask-cors'],
    prove: async (folder) =>
      run('python3', ['-c', 'import moto.server'], { env: { ...process.env, PYTHONPATH: folder }, timeout: 60_000 }),
  });
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

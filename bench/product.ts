import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { RoundRun } from '../src/api/gateway.ts';
import type { CatalogName } from '../src/contract/names.ts';
import { reconciler } from '../src/domain/actor.ts';
import { createGateway } from '../src/temporal/gateway.ts';
import { startSharedDevServer } from '../test/support/shared-dev-server.ts';
import type { Estate } from './estate.ts';

const longestRoundMs = 120_000;
const root = new URL('../', import.meta.url);

/** Resident memory of a worker in MB, after a garbage collection, and the highest that it ever had. */
export interface Memory {
  readonly now: number;
  readonly peak: number;
}

/** What was built, as people run it: the command `worker` in a process of its own, beside a Temporal dev server. */
export interface Product {
  readonly client: Client;
  /** Starts a round as the API does and waits for it; fails unless it is published. */
  round(name: CatalogName): Promise<RoundRun>;
  memory(): Promise<Memory>;
  close(): Promise<void>;
}

export async function startProduct(estate: Estate): Promise<Product> {
  const temporal = await startSharedDevServer();
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const gateway = createGateway(client);
  const worker = startWorker(estate, temporal.address);
  const gone = once(worker, 'exit').then(([code]) => {
    throw new Error(`the worker ended by itself with ${String(code)}`);
  });
  gone.catch(() => undefined); // reported to whoever waits for a round
  const round = async (name: CatalogName): Promise<RoundRun> => {
    const run = await gateway.startRound(name, { dry: false, actor: reconciler });
    const result = await gateway.awaitRound(run, longestRoundMs);
    if (result?.end !== 'published') throw new Error(`a round was not published: ${JSON.stringify(result)}`);
    return run;
  };
  return {
    client,
    round: (name) => Promise.race([round(name), gone]),
    memory: () => Promise.race([memoryOf(worker), gone]),
    async close() {
      worker.kill('SIGTERM');
      await gone.catch(() => undefined);
      await connection.close();
      await temporal.stop();
    },
  };
}

function startWorker({ config }: Estate, address: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const cli = fileURLToPath(new URL('dist/main/cli.js', root));
  return fork(cli, ['worker', '--config', config.file], {
    execArgv: [...profiling(), '--expose-gc', '--import', new URL('bench/memory-reporter.mjs', root).href],
    // Nothing else of the surroundings: a person's TEMPORAL_* variables lead to their real cluster.
    env: { PATH, HOME, ...config.env, TEMPORAL_ADDRESS: address },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** `BENCH_PROFILE=FOLDER npm run bench -- round` leaves a CPU profile of the worker there. */
function profiling(): readonly string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

async function memoryOf(worker: ChildProcess): Promise<Memory> {
  const answered = once(worker, 'message');
  worker.send('memory');
  const [memory] = (await answered) as [Memory];
  return memory;
}

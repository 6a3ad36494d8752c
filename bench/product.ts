import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { Client, Connection } from '@temporalio/client';
import type { RoundRun } from '../src/api/gateway.ts';
import type { CatalogName } from '../src/contract/names.ts';
import { reconciler } from '../src/domain/actor.ts';
import { createGateway } from '../src/temporal/gateway.ts';
import { until } from '../test/support/until.ts';
import { startSharedDevServer } from '../test/support/shared-dev-server.ts';
import type { Estate } from './estate.ts';

/** A million registrations on a busy machine. */
const longestRoundMs = 900_000;
const root = new URL('../', import.meta.url);

/** Resident memory of a worker in MB, after a garbage collection, and the highest that it ever had. */
export interface Memory {
  readonly now: number;
  readonly peak: number;
}

/** What was built, as people run it: the commands `worker` and `api` in processes of their own, beside a Temporal dev server. */
export interface Product {
  readonly client: Client;
  /** Where the API answers, which is started when somebody asks. */
  api(): Promise<string>;
  /** One more worker; ends with everything else. */
  addWorker(): Promise<void>;
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
  const started: Part[] = [];
  const start = (command: 'worker' | 'api', ...args: readonly string[]): Part => {
    const part = startPart(estate, temporal.address, command, args);
    started.push(part);
    return part;
  };
  const { process: worker, gone } = start('worker');
  let api: Promise<string> | undefined;
  const startApi = async (): Promise<string> => {
    const port = await getPort();
    const base = `http://127.0.0.1:${port}`;
    const part = start('api', '--port', String(port));
    await Promise.race([untilAnswers(`${base}/readyz`), part.gone]);
    return base;
  };
  const round = async (name: CatalogName): Promise<RoundRun> => {
    const run = await gateway.startRound(name, { dry: false, actor: reconciler });
    const result = await gateway.awaitRound(run, longestRoundMs);
    if (result?.end !== 'published') throw new Error(`a round was not published: ${JSON.stringify(result)}`);
    return run;
  };
  return {
    client,
    api: () => (api ??= startApi()),
    async addWorker() {
      await memoryOf(start('worker').process); // it answers once it runs
    },
    round: (name) => Promise.race([round(name), gone]),
    memory: () => Promise.race([memoryOf(worker), gone]),
    async close() {
      for (const part of started) part.process.kill('SIGTERM');
      await Promise.allSettled(started.map((part) => part.gone));
      await connection.close();
      await temporal.stop();
    },
  };
}

interface Part {
  readonly process: ChildProcess;
  /** Rejects when it ends, as none does by itself. */
  readonly gone: Promise<never>;
}

function startPart({ config }: Estate, address: string, command: string, args: readonly string[]): Part {
  const { PATH = '', HOME = '' } = process.env;
  const cli = fileURLToPath(new URL('dist/main/cli.js', root));
  const part = fork(cli, [command, '--config', config.file, ...args], {
    execArgv: [...profiling(), '--expose-gc', '--import', new URL('bench/memory-reporter.mjs', root).href],
    // Nothing else of the surroundings: a person's TEMPORAL_* variables lead to their real cluster.
    env: { PATH, HOME, ...config.env, TEMPORAL_ADDRESS: address },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(part, 'exit').then(([code]) => {
    throw new Error(`the ${command} ended by itself with ${String(code)}`);
  });
  gone.catch(() => undefined); // reported to whoever waits for a round
  return { process: part, gone };
}

async function untilAnswers(url: string): Promise<void> {
  await until(`${url} answers`, 60_000, async () => (await fetch(url).catch(() => undefined))?.ok === true, 100);
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

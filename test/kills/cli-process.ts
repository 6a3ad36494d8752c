import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stillRuns } from '../../src/temporal/dev-server/process-identity.ts';
import { readRecord } from '../../src/temporal/dev-server/server-record.ts';
import { until } from '../support/until.ts';

const cli = join(import.meta.dirname, '..', '..', 'dist', 'main', 'cli.js');

/** One of our processes, from the built tree, as a user starts it. */
export interface CliProcess {
  readonly pid: number;
  /** Everything that it has written so far. */
  output(): string;
  /** Of that, what went to its standard output. */
  result(): string;
  /** Waits for a line and hands back what the expression's group holds. */
  says(what: RegExp, withinMs: number): Promise<string>;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop; answers its exit code and how long it took. */
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<{ readonly code: number | null; readonly tookMs: number }>;
  exitCode(withinMs: number): Promise<number | null>;
}

/**
 * Starts `catalog-reconciler` with these arguments.
 * @param atLast where to leave what ends it for good; without one it does not outlive the test
 */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  atLast: (end: () => Promise<void>) => void = onTestFinished,
): CliProcess {
  // Settings of whoever runs the tests must not reach it, a real cluster's address least of all.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL|RECONCILER|DEMO)_/.test(name));
  const child: ChildProcess = spawn(process.execPath, ['--enable-source-maps', cli, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  let result = '';
  child.stdout?.on('data', (data: Buffer) => (result += data.toString()));
  const { pid } = child;
  if (pid === undefined) throw new Error('node could not be started');
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const gone = async (): Promise<void> => {
    if (!ended()) await once(child, 'exit');
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone();
  };
  atLast(kill);
  return {
    pid,
    output: () => output,
    result: () => result,
    async says(what, withinMs) {
      await until(`the process says ${what}`, withinMs, () => what.test(output) || ended()).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${output}`);
      });
      const found = what.exec(output);
      if (found === null) throw new Error(`the process ended and never said ${what}:\n${output}`);
      return found[1] ?? found[0];
    },
    kill,
    async stop(signal) {
      const asked = performance.now();
      child.kill(signal);
      await gone();
      return { code: child.exitCode, tookMs: performance.now() - asked };
    },
    async exitCode(withinMs) {
      await until('the process ends', withinMs, ended);
      return child.exitCode;
    },
  };
}

/**
 * Starts `up` on a data folder and any free port. Where the test ends before it was stopped, its Temporal server, which
 * outlives a kill on purpose, is ended as well.
 */
export function startUp(
  dataDir: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  // what is registered first comes last: the process is gone by then
  endsTemporalOf(dataDir);
  return startCli(['up', ...args, '--data-dir', dataDir, '--port', '0'], env);
}

/** Whatever Temporal server a killed process leaves behind in this data folder does not outlive the test. */
export function endsTemporalOf(dataDir: string): void {
  onTestFinished(async () => {
    const left = (await readRecord(join(dataDir, 'temporal')))?.server;
    if (left !== undefined && (await stillRuns(left))) process.kill(-left.pid, 'SIGKILL');
  });
}

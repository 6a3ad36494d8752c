import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import getPort, { clearLockedPorts } from 'get-port';
import { answers } from './answering.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import { searchAttributeFlags, type WantedAttribute } from './search-attributes.ts';

/** What the command line of `temporal server start-dev` says. */
export interface LaunchPlan {
  readonly executable: string;
  readonly port: number;
  readonly uiPort: number | null;
  readonly dbFile: string | null;
  readonly namespace: string;
  readonly searchAttributes: readonly WantedAttribute[];
}

/** A server that was started, though it may not answer yet. */
export interface Launched {
  readonly server: ProcessIdentity;
  readonly exited: Promise<ServerExit>;
}

export interface ServerExit {
  /** `null` also where nobody could tell: a server that was taken over is not our child. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The wished ports where they are free, other free ones where not. */
export async function choosePorts(wished: { port: number; uiPort: number | null }) {
  clearLockedPorts(); // get-port keeps its answers from itself for a while, so a quick restart would have to move
  const port = await getPort({ host: loopback, port: wished.port });
  const uiPort =
    wished.uiPort === null ? null : await getPort({ host: loopback, port: wished.uiPort, exclude: [port] });
  return { port, uiPort };
}

/** Starts the server in a process group of its own: Ctrl-C reaches its owner first, who then ends it in order. */
export async function launch(plan: LaunchPlan, logFile: string): Promise<Launched> {
  const log = await open(logFile, 'a');
  try {
    const child = spawn(plan.executable, commandLine(plan), { detached: true, stdio: ['ignore', log.fd, log.fd] });
    const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    exited.catch(() => undefined); // a program that cannot run is told of below
    await once(child, 'spawn').catch((error: unknown) => {
      throw new LaunchFailed(error instanceof Error ? error.message : String(error), '');
    });
    child.unref(); // an owner that ends without stopping it is not held up; the next start finds it
    const server = await identify(child.pid ?? 0);
    if (server !== undefined) return { server, exited };
    throw new LaunchFailed('it ended at once', await lastLines(logFile));
  } finally {
    await log.close();
  }
}

/** Waits until the server answers; throws `LaunchFailed` when it ends before that or stays silent. */
export async function untilAnswering({ exited }: Launched, plan: LaunchPlan, logFile: string): Promise<void> {
  const ended = exited.then(({ code, signal }) => ({ how: code === null ? `signal ${signal}` : `exit code ${code}` }));
  for (const deadline = performance.now() + startTimeoutMs; performance.now() < deadline; ) {
    const seen = await Promise.race([ended, answers(addressOf(plan.port), plan.namespace)]);
    if (seen === true) return;
    if (seen !== false) throw new LaunchFailed(`it ended with ${seen.how}`, await lastLines(logFile));
    await Promise.race([ended, pause(lookEveryMs)]);
  }
  throw new LaunchFailed(`it did not answer within ${startTimeoutMs / 1000} s`, await lastLines(logFile));
}

/** The server did not come up; the message carries the end of its log. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
  /** Somebody took the port between our look and the server's. */
  readonly portTaken: boolean;

  constructor(why: string, log: string) {
    super(`The Temporal dev server did not start: ${why}.${log === '' ? '' : ` Its last words:\n${log}`}`);
    this.portTaken = /address already in use/i.test(log);
  }
}

export function addressOf(port: number): string {
  return `${loopback}:${port}`;
}

/** Each start has a log of its own; the one before is kept, since it tells why a restart was needed. */
export async function freshLog(dataDir: string): Promise<string> {
  const logFile = join(dataDir, 'temporal-server.log');
  await rename(logFile, join(dataDir, 'temporal-server.previous.log')).catch(() => undefined); // none at first
  return logFile;
}

function commandLine({ port, uiPort, dbFile, namespace, searchAttributes }: LaunchPlan): string[] {
  const flags = [
    ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(dbFile === null ? [] : ['--db-filename', dbFile]),
    ...searchAttributeFlags(searchAttributes),
  ];
  const fixed = ['--ip', loopback, '--port', String(port), '--namespace', namespace, '--log-level', logLevel];
  return ['server', 'start-dev', ...fixed, ...flags];
}

async function lastLines(logFile: string): Promise<string> {
  return (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-shownLines).join('\n');
}

const loopback = '127.0.0.1'; // the dev server has no authentication: it must never listen further out
const logLevel = 'warn'; // `info` writes several lines per workflow task
const startTimeoutMs = 90_000; // half a second as a rule; a first start reads 150 MB from a cold disk, beside other work
const lookEveryMs = 50;
const shownLines = 8; // the fault is in the last two; the rest shows what led there

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connectNearby } from './dev-server/answering.ts';
import { endServer } from './dev-server/ending.ts';
import {
  addressOf,
  choosePorts,
  freshLog,
  LaunchFailed,
  type Launched,
  type LaunchPlan,
  launch,
  type ServerExit,
  untilAnswering,
} from './dev-server/launch.ts';
import { identify, type ProcessIdentity } from './dev-server/process-identity.ts';
import { addMissingAttributes, type WantedAttribute } from './dev-server/search-attributes.ts';
import { removeRecord, type ServerRecord, writeRecord } from './dev-server/server-record.ts';
import { takeOver, untilGone } from './dev-server/take-over.ts';

export { LaunchFailed, type ServerExit } from './dev-server/launch.ts';
export { DevServerInUse, endOrphan, runningDevServer } from './dev-server/take-over.ts';

export interface DevServerOptions {
  readonly executable: string;
  readonly serverVersion: string;
  /** Holds the record, the logs and, unless kept in memory, the database file. The caller has it to itself. */
  readonly dataDir: string;
  readonly storage: 'disk' | 'memory';
  /** Wished; another free one is taken if this is not free. 0: any. */
  readonly port: number;
  /** As `port`; `null` starts without the web page. */
  readonly uiPort: number | null;
  readonly namespace: string;
  readonly searchAttributes: readonly WantedAttribute[];
}

/** A Temporal dev server on this machine that answers. */
export interface DevServer {
  readonly address: string;
  /** The real ports: compare with the wished ones to tell people that they moved. */
  readonly port: number;
  readonly uiPort: number | null;
  readonly serverVersion: string;
  readonly pid: number;
  /** Left behind by an owner that was killed, and taken over. */
  readonly reused: boolean;
  readonly logFile: string;
  /** Resolves when the server is gone, wanted or not. It is not started again. */
  readonly exited: Promise<ServerExit>;
  /** Ends the server and forgets it, in 5 s at most. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts the dev server of a data folder, or takes over the one that a killed owner left there, and returns when it
 * answers and knows the search attributes. Workflows survive restarts with `storage: 'disk'`.
 * Throws `LaunchFailed` with the end of the server's log, or `DevServerInUse`.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const owner = await identify(process.pid);
  if (owner === undefined) throw new Error('cannot tell processes apart: the Temporal dev server needs /proc or ps');

  const dbFile = options.storage === 'disk' ? join(dataDir, 'temporal.sqlite') : null;
  const { namespace, uiPort, searchAttributes } = options;
  const left = await takeOver(dataDir, owner, { dbFile, namespace, withUi: uiPort !== null });
  const { record, exited } =
    left === undefined
      ? await startAnew(options, dataDir, dbFile, owner)
      : { record: left, exited: untilGone(left.server).then(() => ({ code: null, signal: null })) };

  const server = handle(record, exited, dataDir, left !== undefined);
  try {
    await knowAttributes(server.address, namespace, searchAttributes);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

async function knowAttributes(address: string, namespace: string, wanted: readonly WantedAttribute[]): Promise<void> {
  const connection = await connectNearby(address);
  try {
    await addMissingAttributes(connection, namespace, wanted);
  } finally {
    await connection.close();
  }
}

async function startAnew(options: DevServerOptions, dataDir: string, dbFile: string | null, owner: ProcessIdentity) {
  const logFile = await freshLog(dataDir);
  for (let attempt = 1; ; attempt += 1) {
    const plan = { ...options, ...(await choosePorts(options)), dbFile };
    try {
      return await startOnce(plan, logFile, dataDir, owner);
    } catch (error) {
      if (!(error instanceof LaunchFailed && error.portTaken && attempt < portAttempts)) throw error;
    }
  }
}

async function startOnce(
  plan: LaunchPlan & Pick<DevServerOptions, 'serverVersion'>,
  logFile: string,
  dataDir: string,
  owner: ProcessIdentity,
) {
  const { port, uiPort, serverVersion, dbFile } = plan;
  const launched = await launch(plan, logFile);
  const record = { server: launched.server, owner, port, uiPort, serverVersion, dbFile };
  try {
    await writeRecord(dataDir, record); // before it answers: we may be killed while waiting
    await untilAnswering(launched, plan, logFile);
    return { record, exited: launched.exited };
  } catch (error) {
    await endServer(launched.server);
    await removeRecord(dataDir);
    throw error;
  }
}

function handle(record: ServerRecord, exited: Launched['exited'], dataDir: string, reused: boolean): DevServer {
  const { server, port, uiPort, serverVersion } = record;
  let stopping: Promise<void> | undefined;
  return {
    address: addressOf(port),
    port,
    uiPort,
    serverVersion,
    pid: server.pid,
    reused,
    logFile: join(dataDir, 'temporal-server.log'),
    exited,
    stop: () => (stopping ??= endServer(server).then(() => removeRecord(dataDir))),
  };
}

const portAttempts = 3; // losing a race for a free port once is bad luck, three times is something else

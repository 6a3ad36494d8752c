import { Client, Connection } from '@temporalio/client';
import { beforeAll, onTestFinished } from 'vitest';
import { type DevServer, type DevServerOptions, startDevServer } from '../../src/temporal/dev-server.ts';
import { identify } from '../../src/temporal/dev-server/process-identity.ts';
import { temporalCli } from './temporal-binaries.ts';

let cli: { path: string; serverVersion: string };

/** To be called once in a file whose tests start servers of their own. */
export function withTemporalCli(): void {
  beforeAll(async () => {
    cli = await temporalCli();
  });
}

/** Options for a small real server: any free port, no web page, on disk. */
export function wish(dataDir: string, changes: Partial<DevServerOptions> = {}): DevServerOptions {
  const { path: executable, serverVersion } = cli;
  const fixed = { executable, serverVersion, dataDir, namespace: 'default', searchAttributes: [] };
  return { ...fixed, storage: 'disk', port: 0, uiPort: null, ...changes };
}

/** Starts a server that does not outlive the test. */
export async function started(options: DevServerOptions): Promise<DevServer> {
  const server = await startDevServer(options);
  onTestFinished(() => end(server));
  return server;
}

/** Quicker than `stop`, which lets the server finish in order for more than a second. */
export async function end(server: DevServer): Promise<void> {
  if (await runs(server.pid)) process.kill(-server.pid, 'SIGKILL');
  await server.stop();
}

export async function clientOf({ address }: DevServer): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

export async function runs(pid: number): Promise<boolean> {
  return (await identify(pid)) !== undefined;
}

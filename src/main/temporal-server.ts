import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { readMachine } from '../config/machine.ts';
import { namespaceOf, type TemporalSettings } from '../temporal/connection.ts';
import { type DevServer, startDevServer } from '../temporal/dev-server.ts';
import { addMissingAttributes, wantedSearchAttributes } from '../temporal/search-attributes.ts';
import { findServer, runCommand } from '../temporal/server-binary.ts';

/** The configured Temporal server does not answer, or not as it must. */
export class TemporalUnreachable extends Error {
  override readonly name = 'TemporalUnreachable';
}

/** Connection settings of a server that somebody runs: the file's, and the standard `TEMPORAL_*` variables before it. */
export function configuredTemporal(config: Config): TemporalSettings {
  return loadClientConnectConfig({ overrideEnvVars: config.temporal.client.reveal(), disableFile: false });
}

/** A registered name space that knows our search attributes; tells what to do where it is not or does not. */
export async function prepareNamespace(settings: TemporalSettings): Promise<void> {
  const { address = 'localhost:7233' } = settings.connectionOptions;
  const namespace = namespaceOf(settings);
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ ...settings.connectionOptions, connectTimeout: '10 seconds' });
    await addMissingAttributes(connection, namespace, wantedSearchAttributes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const wanted = wantedSearchAttributes.map(({ name, type }) => `${name} (${type})`).join(', ');
    throw new TemporalUnreachable(
      `The Temporal server at ${address}, namespace ${namespace}, cannot be used: ${why}. Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the credentials; the search attributes ${wanted} must exist, or we must be allowed to add them.`,
      { cause: error },
    );
  } finally {
    await connection?.close();
  }
}

/** A Temporal server for `up`: the configured one, or one of our own on this machine. */
export interface TemporalForUp {
  readonly settings: TemporalSettings;
  /** Our own; absent where somebody else runs it. */
  readonly devServer?: DevServer;
}

export async function temporalForUp(
  config: Config,
  dataFolder: string,
  tell: (line: string) => void,
): Promise<TemporalForUp> {
  if (config.temporal.address !== undefined) {
    const settings = configuredTemporal(config);
    await prepareNamespace(settings);
    return { settings };
  }
  const { searchPath, cacheDir } = readMachine();
  const found = await findServer({
    pathEnv: searchPath,
    cacheDir,
    platform: process.platform,
    run: runCommand,
    announce: tell,
  });
  if (found.kind === 'running') throw new TypeError('no address was given, so no running server can be found');
  const devServer = await startDevServer({
    executable: found.path,
    serverVersion: found.serverVersion,
    dataDir: join(dataFolder, 'temporal'),
    storage: 'disk',
    port: config.temporal.port,
    uiPort: config.temporal.uiPort,
    namespace: config.temporal.namespace,
    searchAttributes: wantedSearchAttributes,
  });
  if (devServer.reused) tell('The Temporal server that an earlier run left behind is used again.');
  return {
    settings: { connectionOptions: { address: devServer.address }, namespace: config.temporal.namespace },
    devServer,
  };
}

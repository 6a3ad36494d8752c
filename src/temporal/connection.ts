import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ClientConnectConfig } from '@temporalio/envconfig';

/** Where Temporal is and how to get in; from `TEMPORAL_*` settings or from our own dev server. */
export type TemporalSettings = ClientConnectConfig;

/** A name space of a Temporal server, and what to close at the end. */
export interface TemporalClient {
  readonly client: Client;
  readonly namespace: string;
  close(): Promise<void>;
}

const defaultNamespace = 'default';

export function namespaceOf(settings: TemporalSettings): string {
  return settings.namespace ?? defaultNamespace;
}

/**
 * A proxy of the environment must not get calls to this very machine.
 */
export function channelArgs(address: string | undefined): { readonly channelArgs?: Record<string, number> } {
  const host = address?.replace(/:\d+$/, '');
  const loopback = host === undefined || host === 'localhost' || host === '[::1]' || host.startsWith('127.');
  return loopback ? { channelArgs: { 'grpc.enable_http_proxy': 0 } } : {};
}

/** Connects when it is first used, so that the API starts, and answers from the ledger, without Temporal. */
export function lazyClient(settings: TemporalSettings): TemporalClient {
  const connection = Connection.lazy({
    ...settings.connectionOptions,
    ...channelArgs(settings.connectionOptions.address),
  });
  const namespace = namespaceOf(settings);
  return { client: new Client({ connection, namespace }), namespace, close: () => connection.close() };
}

/** A worker's own connection; fails at once where nobody answers. */
export function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(settings.connectionOptions);
}

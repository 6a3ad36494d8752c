import { Connection } from '@temporalio/client';

/** Opens a connection to a server on this machine, made for the few questions of its start. */
export function connectNearby(address: string): Promise<Connection> {
  return Connection.connect({
    address,
    connectTimeout: connectTimeoutMs,
    channelArgs: { 'grpc.enable_http_proxy': 0 }, // a proxy of the environment must not get loopback calls
  });
}

/** Whether a Temporal server at `address` answers and has the namespace. */
export async function answers(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    const open = await connectNearby(address); // asks for the server's capabilities
    connection = open;
    await open.withDeadline(Date.now() + connectTimeoutMs, () => open.workflowService.describeNamespace({ namespace }));
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

const connectTimeoutMs = 2_000; // answers within 20 ms; the rest is for a machine that compiles something

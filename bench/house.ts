import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { ActivityDeps } from '../src/activities/deps.ts';
import { createReconcileActivities, createRemovalActivities } from '../src/activities/index.ts';
import { workflowBundle } from '../src/main/workflow-bundle.ts';
import { createGateway } from '../src/temporal/gateway.ts';
import { prompt, startWorkers } from '../src/temporal/workers.ts';
import { startSharedDevServer } from '../test/support/shared-dev-server.ts';
import type { Workshop } from './workshop.ts';

/** Installed once per process, whatever is measured. */
let quietRuntime: Runtime | undefined;

/** Temporal and a worker in this process, since the source is in its memory. */
export async function startHouse(workshop: Workshop, deps: ActivityDeps) {
  quietRuntime ??= Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const server = await startSharedDevServer();
  await workshop.keep({ close: () => server.stop() });
  const { address } = server;
  const connection = await workshop.keep(Connection.connect({ address }));
  const native = await workshop.keep(NativeConnection.connect({ address }));
  const workers = await startWorkers({
    connection: native,
    namespace: 'default',
    bundle: await workflowBundle(),
    reconcileActivities: createReconcileActivities(deps),
    removalActivities: createRemovalActivities(deps),
    leave: prompt,
  });
  const close = (): Promise<void> => {
    workers.stop();
    return workers.stopped;
  };
  await workshop.keep({ close });
  return createGateway(new Client({ connection }));
}

import { createReconcileActivities, createRemovalActivities } from '../activities/index.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { namespaceOf, workerConnection } from '../temporal/connection.ts';
import { startWorkers, unhurried } from '../temporal/workers.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { processConfig } from './process-config.ts';
import { serveMetrics } from './metrics-server.ts';
import { installRuntime } from './sdk-runtime.ts';
import { openServices } from './services.ts';
import { reportingFailure } from './start-failure.ts';
import type { StartOptions } from './start-options.ts';
import { configuredTemporal, prepareNamespace } from './temporal-server.ts';
import { workflowBundle } from './workflow-bundle.ts';

/**
 * `worker`: runs rounds, reviews and removals; start as many as are needed. SIGINT and SIGTERM let what runs come to an
 * end first: the SDK listens for them.
 */
export function runWorker(options: StartOptions): Promise<ExitCode> {
  return reportingFailure(
    (line) => void process.stderr.write(`${line}\n`),
    async () => {
      const config = processConfig(options);
      const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY });
      installRuntime(config, logger, { ownSignals: false });
      const metrics = createMetrics(['worker']);
      const services = await openServices(config, undefined, { metrics, logger });
      const settings = configuredTemporal(config);
      await prepareNamespace(settings);
      const connection = await workerConnection(settings);
      const workers = await startWorkers({
        connection,
        namespace: namespaceOf(settings),
        bundle: await workflowBundle(),
        reconcileActivities: createReconcileActivities(services.activityDeps),
        removalActivities: createRemovalActivities(services.activityDeps),
        leave: unhurried,
      });
      const { host, port } = config.metrics;
      const page = port === undefined ? undefined : await serveMetrics(metrics, { host, port });
      logger.info({ namespace: namespaceOf(settings), metrics: page?.address }, 'the worker works');
      try {
        await workers.stopped;
      } finally {
        await page?.close();
        await connection.close();
        await services.close();
      }
      return exitCodes.ok;
    },
  );
}

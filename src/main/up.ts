import { join } from 'node:path';
import { createReconcileActivities, createRemovalActivities } from '../activities/index.ts';
import { reconciler } from '../domain/actor.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { lazyClient, namespaceOf, workerConnection } from '../temporal/connection.ts';
import { createGateway } from '../temporal/gateway.ts';
import { prompt, startWorkers } from '../temporal/workers.ts';
import { apiServer } from './api-server.ts';
import { isOpenToAll, openToAll } from './credentials.ts';
import { takeDataFolder } from './data-folder.ts';
import { openDemo } from './demo/open-demo.ts';
import { embeddedDemoDatabases } from './demo/start-demo-sources.ts';
import { makeEmbeddedDatabases } from './embedded-databases.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { listen } from './listen.ts';
import { processConfig } from './process-config.ts';
import { applyAll } from './schedules.ts';
import { installRuntime } from './sdk-runtime.ts';
import { embeddedPlaces, openServices } from './services.ts';
import { reportingFailure } from './start-failure.ts';
import type { UpOptions } from './start-options.ts';
import { untilSignalled } from './stop-signals.ts';
import { temporalForUp } from './temporal-server.ts';
import { openTerminal } from './terminal/terminal.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Closes what was opened, the last first, whatever any of them says about it. */
type Closing = { readonly what: string; readonly close: () => Promise<unknown> };

/**
 * `up`: Temporal, databases, worker, API and the demo in one process, on one data folder. Ends at Ctrl-C within ten
 * seconds and leaves no process; the next start goes on from disk.
 */
export function runUp(options: UpOptions): Promise<ExitCode> {
  const terminal = openTerminal({ out: process.stdout, err: process.stderr });
  const tell = (line: string): void => terminal.tell(line);
  return reportingFailure(tell, async () => {
    const given = processConfig(options);
    const demoWanted = options.demo && isOpenToAll(given);
    if (options.demo && !demoWanted) tell('The demo is left out: it is for trying out, without auth and server.tls.');
    const opened: Closing[] = [];
    const opens = <T>(what: string, close: () => Promise<unknown>, thing: T): T => {
      opened.push({ what, close });
      return thing;
    };
    const folder = await takeDataFolder(given.dataDir);
    opens('data folder', () => folder.release(), folder);
    const logger = createLogger({
      level: given.logLevel,
      pretty: true,
      file: join(folder.path, 'catalog-reconciler.log'),
    });
    const leaving = new AbortController();
    const signalled = untilSignalled(() => process.exit(exitCodes.refused));
    let code: ExitCode = exitCodes.ok;
    try {
      installRuntime(given, logger, { ownSignals: true });
      const metrics = createMetrics(['api', 'worker']);
      tell('Starting Temporal and the databases …');
      // Side by side, since each takes seconds the first time; whatever was started is stopped, even if the other failed.
      const temporalStarting = temporalForUp(given, folder.path, tell);
      const startedOrNot = temporalStarting.catch(() => undefined); // its failure is met where it is awaited
      opened.push({ what: 'Temporal', close: async () => (await startedOrNot)?.devServer?.stop() });
      const ofDemo = demoWanted && given.demoSource === undefined ? embeddedDemoDatabases(folder.path) : undefined;
      await makeEmbeddedDatabases(
        [...embeddedPlaces(given, folder.path), ...(ofDemo === undefined ? [] : Object.values(ofDemo))],
        join(folder.path, 'new'),
      );
      const demo = demoWanted ? await openDemo(given, folder.path) : undefined;
      if (demo !== undefined) opens('demo sources', () => demo.stop(), demo);
      const config = demo?.config ?? given;
      const services = await openServices(config, folder.path, { metrics, logger });
      opens('databases', () => services.close(), services);
      await demo?.seed(services);
      const { settings, devServer } = await temporalStarting;
      const temporal = lazyClient(settings);
      opens('Temporal client', () => temporal.close(), temporal);
      await applyAll(services, temporal.client.schedule, reconciler);
      tell('Starting worker and API …');
      const connection = await workerConnection(settings);
      opens('worker connection', () => connection.close(), connection);
      const workers = await startWorkers({
        connection,
        namespace: namespaceOf(settings),
        bundle: await workflowBundle(),
        reconcileActivities: createReconcileActivities(services.activityDeps),
        removalActivities: createRemovalActivities(services.activityDeps),
        leave: prompt,
      });
      opens(
        'worker',
        () => {
          workers.stop();
          return workers.stopped;
        },
        workers,
      );
      const app = await apiServer(services, createGateway(temporal.client), {
        logger,
        metrics,
        leaving: leaving.signal,
      });
      opens('API', () => app.close(), app);
      const address = await listen(app, config.server, { elsewhere: true, tell });
      await folder.announce(address);
      const uiAddress =
        devServer?.uiPort === undefined || devServer.uiPort === null
          ? undefined
          : `http://127.0.0.1:${devServer.uiPort}`;
      if (uiAddress !== undefined && devServer?.uiPort !== config.temporal.uiPort) {
        tell(
          `Port ${config.temporal.uiPort} is taken by another process. The Temporal UI is on port ${devServer?.uiPort}.`,
        );
      }
      terminal.say(`API          ${address}`);
      if (!config.auth.hasCredentials) terminal.say(`             ${openToAll}`);
      if (uiAddress !== undefined) terminal.say(`Temporal UI  ${uiAddress}`);
      terminal.say(`Log          ${join(folder.path, 'catalog-reconciler.log')}`);
      const shown = demo?.run({ address, uiAddress, terminal, signal: leaving.signal }) ?? Promise.resolve();
      const failed = shown.then(() => new Promise<never>(() => undefined));
      const end = await Promise.race([
        signalled,
        failed,
        workers.stopped.then(() => 'the worker stopped by itself'),
        ...(devServer === undefined
          ? []
          : [devServer.exited.then(() => `Temporal ended by itself; see ${devServer.logFile}`)]),
      ]);
      if (end !== 'SIGINT' && end !== 'SIGTERM') {
        tell(`Stopping: ${end}.`);
        code = exitCodes.refused;
      } else {
        tell('Stopping …');
      }
    } finally {
      leaving.abort();
      for (const { what, close } of opened.reverse()) {
        await close().catch((error: unknown) => logger.warn({ err: error }, `${what} did not close well`));
      }
    }
    return code;
  });
}

import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { lazyClient } from '../temporal/connection.ts';
import { createGateway } from '../temporal/gateway.ts';
import { apiServer } from './api-server.ts';
import { openToAll } from './credentials.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { listen } from './listen.ts';
import { processConfig } from './process-config.ts';
import { openServices } from './services.ts';
import { reportingFailure } from './start-failure.ts';
import type { ApiProcessOptions } from './start-options.ts';
import { untilSignalled } from './stop-signals.ts';
import { configuredTemporal } from './temporal-server.ts';

/** `api`: the API alone, over PostgreSQL and a Temporal server that others share. Ends at SIGINT or SIGTERM. */
export function runApi(options: ApiProcessOptions): Promise<ExitCode> {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  return reportingFailure(tell, async () => {
    const config = processConfig(options);
    const logger = createLogger({ level: config.logLevel, pretty: process.stderr.isTTY });
    const metrics = createMetrics(['api']);
    const services = await openServices(config, undefined, { metrics, logger });
    const temporal = lazyClient(configuredTemporal(config));
    const leaving = new AbortController();
    const app = await apiServer(services, createGateway(temporal.client), {
      logger,
      metrics,
      leaving: leaving.signal,
    });
    const address = await listen(app, config.server, { elsewhere: false, tell });
    logger.info({ address }, 'the API listens');
    if (!config.auth.hasCredentials) logger.warn(openToAll);
    await untilSignalled(() => process.exit(exitCodes.refused));
    leaving.abort();
    await app.close();
    await temporal.close();
    await services.close();
    return exitCodes.ok;
  });
}

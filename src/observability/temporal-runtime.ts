import { type LogLevel, makeTelemetryFilterString, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from './logger.ts';

/** What Temporal's SDK logs goes to our logger; its own lines about every activity are details. */
export function runtimeOptions(logger: Logger, options: { readonly ownSignals: boolean }): RuntimeOptions {
  const log = logger.child({ from: 'temporal' });
  const write = (level: LogLevel, message: string, meta: object = {}): void => {
    switch (level) {
      case 'ERROR':
        log.error(meta, message);
        return;
      case 'WARN':
        log.warn(meta, message);
        return;
      case 'INFO':
        log.debug(meta, message);
        return;
      default:
        log.trace(meta, message);
    }
  };
  return {
    logger: {
      log: write,
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
    // `up` ends Temporal, API and worker in one order of its own; a worker alone leaves it to the SDK.
    ...(options.ownSignals ? { shutdownSignals: [] } : {}),
  };
}

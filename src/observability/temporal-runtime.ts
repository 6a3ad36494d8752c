import { type LogLevel, makeTelemetryFilterString, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from './logger.ts';

export interface SdkOptions {
  /** Whether the process ends the worker by itself, instead of the SDK at a signal. */
  readonly ownSignals: boolean;
  /** What of our own a workflow of this id and run is about: its catalog, its round. */
  readonly about: (workflowId: string, runId: string | undefined) => Readonly<Record<string, string>>;
  /** Where the SDK serves its metrics to Prometheus; absent: nowhere. */
  readonly metricsAt?: { readonly host: string; readonly port: number };
}

/**
 * What Temporal's SDK logs goes to our logger, with the catalog and the round that a line is about; its own lines about
 * every activity are details.
 */
export function runtimeOptions(logger: Logger, options: SdkOptions): RuntimeOptions {
  const log = logger.child({ from: 'temporal' });
  const write = (level: LogLevel, message: string, given: object = {}): void => {
    const { error, taskToken: _, ...rest }: Readonly<Record<string, unknown>> = { ...given };
    // an error says nothing but `{}` under any other key
    const meta = { ...aboutWhat(given, options.about), ...rest, ...(error === undefined ? {} : { err: error }) };
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
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(options.metricsAt === undefined ? {} : { metrics: prometheusAt(options.metricsAt) }),
    },
    // `up` ends Temporal, API and worker in one order of its own; a worker alone leaves it to the SDK.
    ...(options.ownSignals ? { shutdownSignals: [] } : {}),
  };
}

/** The SDK names a run `runId` in lines of workflows, `workflowRunId` in lines of activities. */
function aboutWhat(meta: object, about: SdkOptions['about']): Readonly<Record<string, string>> {
  const { workflowId, runId, workflowRunId = runId }: Readonly<Record<string, unknown>> = { ...meta };
  if (typeof workflowId !== 'string') return {};
  return about(workflowId, typeof workflowRunId === 'string' ? workflowRunId : undefined);
}

/** Names and units as in the metrics of our own: counters end in `_total`, durations are seconds. */
function prometheusAt({ host, port }: { readonly host: string; readonly port: number }) {
  return {
    prometheus: {
      bindAddress: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
    },
  };
}

import { Runtime } from '@temporalio/worker';
import type { Config } from '../config/config.ts';
import { parseId } from '../contract/names.ts';
import { pathText } from '../domain/path.ts';
import type { Logger } from '../observability/logger.ts';
import { runtimeOptions } from '../observability/temporal-runtime.ts';

/**
 * Installs the runtime of Temporal's SDK, once a process. A port of `metrics.temporalPort` that is taken throws an error
 * of the SDK that names it.
 */
export function installRuntime(
  config: Pick<Config, 'metrics'>,
  logger: Logger,
  { ownSignals }: { readonly ownSignals: boolean },
): void {
  const { host, temporalPort: port } = config.metrics;
  Runtime.install(
    runtimeOptions(logger, { ownSignals, about, ...(port === undefined ? {} : { metricsAt: { host, port } }) }),
  );
}

/** A round is called by the run that it is; a review and a tick are about their catalog alone. */
function about(workflowId: string, runId: string | undefined): Readonly<Record<string, string>> {
  const id = parseId(workflowId);
  if (id === undefined) return {};
  const isRound = (id.kind === 'round' || id.kind === 'scan') && runId !== undefined;
  return { catalog: pathText([id.metalake, id.catalog]), ...(isRound ? { round: runId } : {}) };
}

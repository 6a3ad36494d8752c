import { ReconcilerFailure } from '../domain/failure.ts';
import type { ProbeTarget } from '../domain/verdict.ts';
import type { Source, SourceCheck } from './source.ts';

/** Refuses a batch that is larger than the adapter says. `what` is what it asks about: `PostgreSQL`. */
export function requireBatch(what: string, batchSize: number, targets: readonly ProbeTarget[]): void {
  if (targets.length <= batchSize) return;
  const message = `A probe of ${what} takes ${batchSize} targets, not ${targets.length}.`;
  throw new ReconcilerFailure('InvalidRequest', 'batch-too-large', message);
}

/** A check is a probe about nothing but the controls, so that both see with the same eyes. */
export async function checkByProbe(
  source: Pick<Source, 'probe'>,
  known: readonly ProbeTarget[],
  signal: AbortSignal,
): Promise<SourceCheck> {
  const { fingerprint, principal, controls } = await source.probe([], known, signal);
  return { fingerprint, principal, controls };
}

import type { Metrics } from '../observability/metrics.ts';
import type { Source } from '../sources/source.ts';

/** The source, with the time of each call and the number of its questions measured. */
export function observedSource(source: Source, metrics: Metrics): Source {
  const { source: kind } = source.traits;
  return {
    traits: source.traits,
    check: (known, signal) => source.check(known, signal),
    async probe(targets, known, signal) {
      const started = performance.now();
      const took = (end: 'answered' | 'failed' | 'cancelled') =>
        metrics.probeDuration.record({ source: kind, end }, (performance.now() - started) / 1_000);
      metrics.probeBatch.record({ source: kind }, targets.length);
      try {
        const batch = await source.probe(targets, known, signal);
        took('answered');
        return batch;
      } catch (error) {
        took(signal.aborted ? 'cancelled' : 'failed');
        throw error;
      }
    },
    identify: (uids, signal) => source.identify(uids, signal),
    list: (signal) => source.list(signal),
    close: () => source.close(),
  };
}

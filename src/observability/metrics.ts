import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricDeclaration, type MetricKey, metricDeclarations, type ServedBy } from './metric-declarations.ts';

/** Something to count, to set or to observe, with a value for each of its labels. */
interface Metric<Label extends string> {
  /** Adds to a counter, sets a gauge, observes in a histogram. */
  record(labels: Readonly<Record<Label, string>>, value: number): void;
}

type LabelsOf<K extends MetricKey> = (typeof metricDeclarations)[K]['labels'][number];

type Recorders = { readonly [K in MetricKey]: Metric<LabelsOf<K>> };

/** All metrics of a process and the page that Prometheus reads. */
export interface Metrics extends Recorders {
  /** Called before the page is made, so that gauges can be set; never throws. */
  beforeScrape(set: () => Promise<void>): void;
  /** Takes every series out of the gauges of {@link ServedBy | one part}, before those that still hold are set anew. */
  forget(part: ServedBy): void;
  /** The page in the text format of Prometheus. */
  page(): Promise<string>;
  readonly contentType: string;
}

/**
 * The metrics that this process serves, besides those of Node and the process itself.
 *
 * @param parts what runs in the process: metrics of other parts would only stand there as zeros
 */
export function createMetrics(parts: readonly ServedBy[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setters: (() => Promise<void>)[] = [];
  const gauges: { readonly part: ServedBy; readonly gauge: Gauge }[] = [];

  const recorder = (declaration: MetricDeclaration): Metric<string> => {
    const { kind, servedBy, help, name } = declaration;
    if (!parts.includes(servedBy)) return { record: () => undefined };
    const options = { name, help, labelNames: declaration.labels, registers: [registry] };
    switch (kind) {
      case 'counter': {
        const counter = new Counter(options);
        return { record: (labels, value) => counter.inc(labels, value) };
      }
      case 'gauge': {
        const gauge = new Gauge(options);
        gauges.push({ part: servedBy, gauge });
        return { record: (labels, value) => gauge.set(labels, value) };
      }
      case 'histogram': {
        const histogram = new Histogram({ ...options, buckets: [...(declaration.buckets ?? [])] });
        return { record: (labels, value) => histogram.observe(labels, value) };
      }
    }
  };

  const recorders = Object.fromEntries(
    Object.entries(metricDeclarations).map(([key, declaration]) => [key, recorder(declaration)]),
  ) as unknown as Recorders;
  return {
    ...recorders,
    beforeScrape: (set) => void setters.push(set),
    forget(part) {
      for (const { gauge, part: of } of gauges) if (of === part) gauge.reset();
    },
    async page() {
      await Promise.all(setters.map((set) => set()));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

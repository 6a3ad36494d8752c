// Prints docs/metrics.md from the declared metrics: `tsx scripts/print-metrics.ts > docs/metrics.md`.
import { pathToFileURL } from 'node:url';
import { type MetricDeclaration, metricDeclarations } from '../src/observability/metric-declarations.ts';

export function metricsPage(): string {
  const declared: readonly MetricDeclaration[] = Object.values(metricDeclarations);
  const table = (servedBy: MetricDeclaration['servedBy']) =>
    [
      '| metric | kind | labels | what it tells |',
      '| --- | --- | --- | --- |',
      ...declared.filter((metric) => metric.servedBy === servedBy).map(row),
    ].join('\n');
  return `${intro.trim()}\n\n## Served by the API\n\n${table('api')}\n\n## Served by workers\n\n${table('worker')}\n`;
}

function row({ name, kind, labels, help }: MetricDeclaration): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ') || '–'} | ${help} |`;
}

const intro = `
# Metrics

<!-- Printed by scripts/print-metrics.ts from src/observability/metric-declarations.ts. Change it there. -->

For Prometheus. [alerts.yaml](alerts.yaml) has rules over these, each of which names a paragraph of
[operations.md](operations.md), and [grafana/dashboard.json](grafana/dashboard.json) a dashboard to import.

| what | where | who may look |
| --- | --- | --- |
| the API | \`/metrics\` on its own port | a token of role \`viewer\`, where there are credentials |
| a worker | \`/metrics\`, and \`/livez\`, on \`metrics.port\`, not served unless set | whoever reaches the port: leave \`metrics.host\` on loopback, or on a network of its own |
| the Temporal SDK in a worker | \`/metrics\` on \`metrics.temporalPort\`, not served unless set | the same |
| \`up\` | all of ours on the API's port, those of the SDK as above | |

- Gauges of the ledger's standing are read at the scrape and some ten seconds old at most. They are the same in every process
  of the API: aggregate with \`max\`, not \`sum\`.
- Counters and histograms begin at zero with their process: look at rates, and sum over workers. A round's or a removal's
  end is counted by the process that wrote it into the ledger.
- \`catalog\` is the key \`metalake/catalog\`, so there are as many series as catalogs, and none for an object, a person or an
  id. Those are in the log, whose lines carry \`catalog\`, \`round\` or \`removal\`, and \`request\`.
- Beside these stand \`process_…\` and \`nodejs_…\` of the process itself. Those of the SDK begin with \`temporal_\`, have
  durations in seconds, and are described in its own documentation.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(metricsPage());

// Prints docs/grafana/dashboard.json: `tsx scripts/print-dashboard.ts > docs/grafana/dashboard.json`.
import { pathToFileURL } from 'node:url';

interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit: string;
  /** Expression and legend. */
  readonly queries: readonly (readonly [expr: string, legend: string])[];
  /** Of the 24 columns of a row. */
  readonly width: number;
}

const of = 'catalog=~"$catalog"';

const number = (title: string, expr: string, unit = 'short'): Panel => ({
  title,
  type: 'stat',
  unit,
  queries: [[expr, '']],
  width: 4,
});
const lines = (title: string, unit: string, ...queries: readonly (readonly [string, string])[]): Panel => ({
  title,
  type: 'timeseries',
  unit,
  queries,
  width: 12,
});
const percentile = (share: number, metric: string, by: string, where = '') =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${metric}_bucket${where}[$__rate_interval])))`;

const panels: readonly Panel[] = [
  number(
    'Unreachable',
    `count(max by (catalog) (reconciler_catalog_state{state="unreachable", ${of}}) == 1) or vector(0)`,
  ),
  number('Held', `sum(max by (catalog) (reconciler_catalog_barred{by="hold", ${of}}))`),
  number('Stopped', `sum(max by (catalog) (reconciler_catalog_barred{by="stop", ${of}}))`),
  number('Paused', `sum(max by (catalog) (reconciler_catalog_barred{by="pause", ${of}}))`),
  number('Open findings', `sum(max by (catalog, age) (reconciler_findings_open{${of}}))`),
  number('Decisions waiting', `sum(max by (catalog, action) (reconciler_decisions_waiting{${of}}))`),
  lines('Time since the last published round', 's', [
    `time() - max by (catalog) (reconciler_round_published_timestamp_seconds{${of}})`,
    '{{catalog}}',
  ]),
  lines('Rounds by end', 'short', [
    `sum by (end) (increase(reconciler_rounds_total{${of}}[$__rate_interval]))`,
    '{{end}}',
  ]),
  lines('Verdicts that are not present', 'short', [
    `max by (catalog, verdict) (reconciler_verdicts{verdict!="present", ${of}})`,
    '{{catalog}} {{verdict}}',
  ]),
  lines('Open findings by age', 'short', [
    `sum by (age) (max by (catalog, age) (reconciler_findings_open{${of}}))`,
    '{{age}}',
  ]),
  lines('Removals by outcome', 'short', [
    `sum by (action, outcome) (increase(reconciler_removals_total{${of}}[$__rate_interval]))`,
    '{{action}} {{outcome}}',
  ]),
  lines(
    'Pace: kept and configured',
    'ops',
    [
      `sum by (catalog) (rate(reconciler_removals_total{outcome=~"removed|repointed", ${of}}[$__rate_interval]))`,
      '{{catalog}} kept',
    ],
    [`max by (catalog) (reconciler_pace_configured_removals_per_second{${of}})`, '{{catalog}} configured'],
  ),
  lines(
    'How long decisions and unknown outcomes wait',
    's',
    [`max by (catalog) (reconciler_decision_wait_seconds{${of}})`, '{{catalog}} decision'],
    [`max by (catalog) (reconciler_intent_open_seconds{${of}})`, '{{catalog}} outcome'],
  ),
  lines('Round duration', 's', [
    percentile(0.95, 'reconciler_round_duration_seconds', 'catalog', `{end="published", ${of}}`),
    '{{catalog}} p95',
  ]),
  lines(
    'One call to a source',
    's',
    [percentile(0.5, 'reconciler_probe_duration_seconds', 'source', '{end="answered"}'), '{{source}} p50'],
    [percentile(0.99, 'reconciler_probe_duration_seconds', 'source', '{end="answered"}'), '{{source}} p99'],
  ),
  lines(
    'Calls that failed, questions in a call',
    'short',
    [
      'sum by (source) (rate(reconciler_probe_duration_seconds_count{end="failed"}[$__rate_interval]))',
      '{{source}} failed a second',
    ],
    [percentile(0.5, 'reconciler_probe_batch_objects', 'source'), '{{source}} questions p50'],
  ),
  lines('Wait for a worker', 's', [percentile(0.95, 'reconciler_queue_wait_seconds', 'queue'), '{{queue}} p95']),
  lines(
    'Workers of the Temporal SDK',
    'short',
    ['sum by (worker_type) (temporal_worker_task_slots_used)', '{{worker_type}} slots used'],
    ['sum by (poller_type) (temporal_num_pollers)', '{{poller_type}} pollers'],
  ),
  lines('API: requests', 'reqps', [
    'sum by (status) (rate(reconciler_http_request_duration_seconds_count[$__rate_interval]))',
    '{{status}}',
  ]),
  lines('API: time to answer', 's', [
    percentile(0.99, 'reconciler_http_request_duration_seconds', 'route'),
    '{{route}} p99',
  ]),
];

const rowHeights = { stat: 4, timeseries: 8 } as const;

/** For Grafana 10 and later; asks for its Prometheus when it is imported. */
export function dashboard(): object {
  const datasource = { type: 'prometheus', uid: '${DS_PROMETHEUS}' };
  let x = 0;
  let y = 0;
  const placed = panels.map(({ title, type, unit, queries, width }, index) => {
    const h = rowHeights[type];
    const gridPos = { x, y, w: width, h };
    x += width;
    if (x >= 24) [x, y] = [0, y + h];
    return {
      id: index + 1,
      title,
      type,
      datasource,
      gridPos,
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], at) => ({ refId: 'ABC'[at], datasource, expr, legendFormat })),
    };
  });
  return {
    __inputs: [{ name: 'DS_PROMETHEUS', label: 'Prometheus', type: 'datasource', pluginId: 'prometheus' }],
    uid: 'catalog-reconciler',
    title: 'catalog-reconciler',
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: {
      list: [
        {
          name: 'catalog',
          type: 'query',
          datasource,
          query: 'label_values(reconciler_catalog_state, catalog)',
          refresh: 2,
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: placed,
  };
}

export function dashboardText(): string {
  return `${JSON.stringify(dashboard(), null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(dashboardText());

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dashboard, dashboardText } from '../../scripts/print-dashboard.ts';
import { type MetricDeclaration, metricDeclarations } from '../../src/observability/metric-declarations.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

const rules = (parse(read('alerts.yaml')) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }).groups
  .flatMap((group) => group.rules)
  .map((rule) => [rule.alert, rule] as const);

const declared: ReadonlyMap<string, MetricDeclaration> = new Map(
  Object.values(metricDeclarations).flatMap((metric) => series(metric).map((name) => [name, metric] as const)),
);

/** The names under which a metric can be asked for. */
function series({ kind, name }: MetricDeclaration): readonly string[] {
  return kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** What of an expression is not declared: metrics of ours, and labels that select them. */
function unknownIn(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(reconciler_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name = '', selector = '']) => {
    const metric = declared.get(name);
    if (metric === undefined) return [name];
    const labels = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return labels
      .filter((label) => label !== 'le' && !metric.labels.includes(label))
      .map((label) => `${name} ${label}`);
  });
}

/** The anchors of a page, as its readers get them. */
function anchorsOf(page: string, level: string): readonly string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith(`${level} `))
    .map((line) =>
      line
        .slice(level.length + 1)
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
}

describe('docs/alerts.yaml', () => {
  test('has rules', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(([name]) => name)).size).toBe(rules.length);
  });

  test.each(rules)('%s asks for metrics and labels that exist, and leads to a paragraph that does', (_name, rule) => {
    expect(unknownIn(rule.expr)).toEqual([]);
    expect(rule.expr).toMatch(/reconciler_|up\{/);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
    expect(rule.annotations.summary).not.toBe('');
    const [page, anchor] = rule.annotations.runbook.split('#');
    expect(page).toBe('docs/operations.md');
    expect(anchorsOf(read('operations.md'), '###')).toContain(anchor);
  });

  test('and the paragraphs on alerts are each led to', () => {
    const [, ofAlerts = ''] = read('operations.md').split('\n## Alerts\n');
    const [paragraphs = ''] = ofAlerts.split(/\n## /);
    const led = rules.map(([, rule]) => rule.annotations.runbook.split('#')[1]);
    expect(anchorsOf(paragraphs, '###').filter((anchor) => !led.includes(anchor))).toEqual([]);
  });
});

describe('docs/grafana/dashboard.json', () => {
  test('is what scripts/print-dashboard.ts prints', () => {
    expect(read('grafana/dashboard.json')).toBe(dashboardText());
  });

  test('asks for metrics and labels that exist', () => {
    const { panels } = dashboard() as { readonly panels: readonly { readonly targets: readonly { expr: string }[] }[] };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(15);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });
});

describe('what is not declared', () => {
  test.each([
    ['a metric', 'sum(reconciler_rouds_total)', ['reconciler_rouds_total']],
    [
      'a histogram without what it is made of',
      'reconciler_round_duration_seconds',
      ['reconciler_round_duration_seconds'],
    ],
    ['a label', 'reconciler_rounds_total{catalgo="a", end=~"b"}', ['reconciler_rounds_total catalgo']],
  ])('is found: %s', (_what, expr, unknown) => {
    expect(unknownIn(expr)).toEqual(unknown);
  });
});

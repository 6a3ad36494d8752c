import { describe, expect, test } from 'vitest';
import { type MetricDeclaration, metricDeclarations } from '../../src/observability/metric-declarations.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

const declared: readonly MetricDeclaration[] = Object.values(metricDeclarations);

describe('the declarations', () => {
  test('follow the names that Prometheus people expect', () => {
    for (const { name, kind, labels } of declared) {
      expect(name).toMatch(/^reconciler_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total'), name).toBe(kind === 'counter');
      for (const label of labels) expect(label, name).toMatch(/^[a-z]+$/);
    }
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  });

  test('have no label that grows without end', () => {
    const bounded = 'catalog source state end outcome action verdict age by queue activity method route status'.split(
      ' ',
    );
    for (const { name, labels } of declared) expect(bounded, name).toEqual(expect.arrayContaining([...labels]));
  });

  test('give every histogram bounds that rise', () => {
    for (const { kind, name, buckets = [] } of declared) {
      expect(buckets.length > 0, name).toBe(kind === 'histogram');
      expect([...buckets].sort((a, b) => a - b)).toEqual(buckets);
    }
  });
});

describe('the page', () => {
  test('counts, sets and observes', async () => {
    const metrics = createMetrics(['api', 'worker']);
    metrics.rounds.record({ catalog: 'lake/shop', end: 'published' }, 1);
    metrics.rounds.record({ catalog: 'lake/shop', end: 'published' }, 1);
    metrics.findingsDue.record({ catalog: 'lake/shop' }, 3);
    metrics.findingsDue.record({ catalog: 'lake/shop' }, 2);
    metrics.probeDuration.record({ source: 'postgresql', end: 'answered' }, 0.02);
    const page = await metrics.page();
    expect(page).toContain('reconciler_rounds_total{catalog="lake/shop",end="published"} 2\n');
    expect(page).toContain('reconciler_findings_due{catalog="lake/shop"} 2\n');
    expect(page).toContain(
      'reconciler_probe_duration_seconds_bucket{le="0.01",source="postgresql",end="answered"} 0\n',
    );
    expect(page).toContain(
      'reconciler_probe_duration_seconds_bucket{le="0.025",source="postgresql",end="answered"} 1\n',
    );
    expect(page).toContain('process_resident_memory_bytes ');
  });

  test('has nothing of the parts that run elsewhere', async () => {
    const metrics = createMetrics(['worker']);
    metrics.findingsDue.record({ catalog: 'lake/shop' }, 3);
    const page = await metrics.page();
    expect(page).not.toContain('reconciler_findings_due');
    expect(page).toContain('# TYPE reconciler_rounds_total counter');
  });

  test('writes names of catalogs so that none can end its line', async () => {
    const metrics = createMetrics(['worker']);
    metrics.rounds.record({ catalog: 'lake/"x"\n} 1', end: 'failed' }, 1);
    expect(await metrics.page()).toContain('{catalog="lake/\\"x\\"\\n} 1",end="failed"} 1\n');
  });

  test('is made after every gauge was set, and without those that were forgotten', async () => {
    const metrics = createMetrics(['api']);
    metrics.findingsDue.record({ catalog: 'lake/gone' }, 1);
    metrics.requestDuration.record({ method: 'GET', route: '/livez', status: '200' }, 0.1);
    metrics.beforeScrape(async () => {
      metrics.forget('api');
      metrics.findingsDue.record({ catalog: 'lake/shop' }, 7);
    });
    const page = await metrics.page();
    expect(page).toContain('reconciler_findings_due{catalog="lake/shop"} 7');
    expect(page).not.toContain('lake/gone');
    expect(page).toContain(
      'reconciler_http_request_duration_seconds_count{method="GET",route="/livez",status="200"} 1',
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setLedgerGauges } from '../../src/main/ledger-gauges.ts';
import { createMetrics, type Metrics } from '../../src/observability/metrics.ts';
import { decideOne, hour, seedCatalog, seedFinding, t0 } from '../ledger/seed.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());

const schedules = { enabled: true, intervalMs: hour };

function gauges(figures = at.ledger.figures, reconcile: typeof schedules = schedules): Metrics {
  const metrics = createMetrics(['api']);
  setLedgerGauges(metrics, { ledger: { figures }, clock: () => t0 + hour, reconcileOf: () => reconcile });
  return metrics;
}

const ours = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metrics.page()).split('\n').filter((line) => line.startsWith('reconciler_'));

describe('gauges of the ledger', () => {
  test('tell the standing of each catalog at the scrape', async () => {
    await seedCatalog(at.db, { hold: ['all-absent'] });
    await seedFinding(at.db, 'gone');
    await decideOne(at.ledger, 'gone', 'approve', { now: t0 + hour / 2 });
    expect(await ours(gauges())).toEqual(
      expect.arrayContaining([
        'reconciler_ledger_up 1',
        'reconciler_catalog_state{catalog="lake/shop",state="ok"} 1',
        'reconciler_catalog_barred{catalog="lake/shop",by="hold"} 1',
        'reconciler_catalog_barred{catalog="lake/shop",by="pause"} 0',
        `reconciler_round_published_timestamp_seconds{catalog="lake/shop"} ${t0 / 1_000}`,
        'reconciler_round_interval_seconds{catalog="lake/shop"} 3600',
        'reconciler_findings_open{catalog="lake/shop",age="1d"} 1',
        'reconciler_decisions_waiting{catalog="lake/shop",action="approve"} 1',
        'reconciler_decision_wait_seconds{catalog="lake/shop"} 1800',
        'reconciler_intent_open_seconds{catalog="lake/shop"} 0',
      ]),
    );
  });

  test('have no interval where the schedule is off, so that nobody is woken for a round that is not to come', async () => {
    await seedCatalog(at.db);
    const lines = await ours(gauges(at.ledger.figures, { enabled: false, intervalMs: hour }));
    expect(lines.filter((line) => line.startsWith('reconciler_round_interval_seconds'))).toEqual([]);
  });

  test('are read once for scrapes that come close together, and anew after that', async () => {
    const spy = vi.fn((now: number) => at.ledger.figures.catalogs(now));
    const metrics = gauges({ catalogs: spy });
    await Promise.all([metrics.page(), metrics.page()]);
    await metrics.page();
    expect(spy).toHaveBeenCalledTimes(1);
    const later = performance.now() + hour;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    await metrics.page();
    clock.mockRestore();
    expect(spy).toHaveBeenCalledTimes(2);
  });

  test('are missing while the ledger is away, and back at the next scrape', async () => {
    await seedCatalog(at.db);
    let away = true;
    const metrics = gauges({
      catalogs: (now) => (away ? Promise.reject(new Error('away')) : at.ledger.figures.catalogs(now)),
    });
    expect(await ours(metrics)).toEqual(['reconciler_ledger_up 0']);
    away = false;
    const lines = await ours(metrics);
    expect(lines).toContain('reconciler_ledger_up 1');
    expect(lines).toContain('reconciler_catalog_state{catalog="lake/shop",state="ok"} 1');
  });

  test('of a state that is over do not stay behind', async () => {
    await seedCatalog(at.db, { state: 'unreachable' });
    const metrics = gauges();
    await metrics.page();
    await seedCatalog(at.db, { state: 'ok' });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + hour);
    const lines = await ours(metrics);
    clock.mockRestore();
    expect(lines.filter((line) => line.startsWith('reconciler_catalog_state'))).toEqual([
      'reconciler_catalog_state{catalog="lake/shop",state="ok"} 1',
    ]);
  });
});

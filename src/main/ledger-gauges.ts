import type { EffectiveReconcile } from '../config/policy-for.ts';
import type { CatalogFigures, Ledger } from '../ledger/ledger.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Figures younger than this are good enough: no scraper looks more often for long. */
const freshForMs = 10_000;
/** Of a catalog with a million findings the figures take their time; this bounds the share of it that they get. */
const restsForEachRead = 20;

/**
 * Sets the gauges of the ledger's standing before each scrape, from figures that are some seconds old at most. Where
 * the ledger does not answer, `reconciler_ledger_up` is 0 and the other gauges are missing rather than outdated.
 */
export function setLedgerGauges(
  metrics: Metrics,
  deps: {
    readonly ledger: Pick<Ledger, 'figures'>;
    /** Unix milliseconds. */
    readonly clock: () => number;
    readonly reconcileOf: (metalake: string, catalog: string) => Pick<EffectiveReconcile, 'enabled' | 'intervalMs'>;
  },
): void {
  let reading: Promise<void> | undefined;
  let freshUntil = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    const started = performance.now();
    const now = deps.clock();
    const figures = await deps.ledger.figures.catalogs(now).catch(() => undefined);
    metrics.forget('api');
    metrics.ledgerUp.record({}, figures === undefined ? 0 : 1);
    for (const catalog of figures ?? []) setOne(metrics, catalog, now, deps.reconcileOf);
    const ended = performance.now();
    freshUntil = figures === undefined ? ended : ended + Math.max(freshForMs, (ended - started) * restsForEachRead);
  };
  metrics.beforeScrape(async () => {
    if (performance.now() < freshUntil) return;
    // several scrapers at once share one reading
    reading ??= read().finally(() => (reading = undefined));
    await reading;
  });
}

function setOne(
  metrics: Metrics,
  figures: CatalogFigures,
  now: number,
  reconcileOf: (metalake: string, catalog: string) => Pick<EffectiveReconcile, 'enabled' | 'intervalMs'>,
): void {
  const { key: catalog, publishedAt, waiting, intentOpenSince } = figures;
  const secondsSince = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, now - at) / 1_000);
  metrics.catalogState.record({ catalog, state: figures.state }, 1);
  for (const [by, barred] of Object.entries(figures.bars))
    metrics.catalogBarred.record({ catalog, by }, Number(barred));
  if (publishedAt !== undefined) metrics.publishedAt.record({ catalog }, publishedAt / 1_000);
  for (const [verdict, count] of Object.entries(figures.verdicts)) metrics.verdicts.record({ catalog, verdict }, count);
  for (const [age, count] of Object.entries(figures.open)) metrics.findingsOpen.record({ catalog, age }, count);
  metrics.findingsDue.record({ catalog }, figures.due);
  for (const action of ['approve', 'repoint'] as const) {
    metrics.decisionsWaiting.record({ catalog, action }, waiting[action]);
  }
  metrics.oldestDecision.record({ catalog }, secondsSince(waiting.since));
  metrics.oldestIntent.record({ catalog }, secondsSince(intentOpenSince));
  metrics.paceConfigured.record({ catalog }, figures.removalsPerSecond);
  const { enabled, intervalMs } = reconcileOf(figures.metalake, figures.name);
  if (enabled) metrics.roundInterval.record({ catalog }, intervalMs / 1_000);
}

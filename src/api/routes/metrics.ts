import type { Metrics } from '../../observability/metrics.ts';
import type { ApiServer } from '../server.ts';

/**
 * `GET /metrics`: the page that Prometheus reads, in its text format; docs/metrics.md lists what is on it. It names
 * catalogs, so it takes the role `viewer` where there are credentials. Always 200: a ledger that is away is a value there.
 */
export function metricsRoutes(app: ApiServer, metrics: Metrics): void {
  app.get('/metrics', { config: { action: 'read' }, schema: { hide: true } }, async (_request, reply) => {
    reply.type(metrics.contentType).header('cache-control', 'no-store');
    return metrics.page();
  });
}

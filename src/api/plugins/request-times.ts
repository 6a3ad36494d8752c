import type { Metrics } from '../../observability/metrics.ts';
import type { ApiServer } from '../server.ts';

/** Measures every answer, under the route as it is declared: addresses hold names, of which there is no end. */
export function measureRequests(app: ApiServer, metrics: Metrics): void {
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? 'none', status: String(reply.statusCode) };
    metrics.requestDuration.record(labels, reply.elapsedTime / 1_000);
  });
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../observability/metrics.ts';
import { PortTaken } from './listen.ts';

export interface MetricsServer {
  /** As a URL. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics`, and `GET /livez` for whoever watches the process, where there is no API. It asks nobody who he is: let it listen where
 * only Prometheus comes. Throws {@link PortTaken} where somebody else listens there.
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/livez') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"alive":true}');
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.page().then(
      (page) => response.writeHead(200, { 'content-type': metrics.contentType }).end(page),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} on ${host} is taken by another process. Stop it, or set metrics.port to another one.`;
      reject(error.code === 'EADDRINUSE' ? new PortTaken(taken, { cause: error }) : error);
    });
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

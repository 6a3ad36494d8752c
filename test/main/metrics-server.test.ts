import { afterEach, describe, expect, test } from 'vitest';
import { PortTaken } from '../../src/main/listen.ts';
import { type MetricsServer, serveMetrics } from '../../src/main/metrics-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

const open: MetricsServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(port = 0, metrics = createMetrics(['worker'])): Promise<MetricsServer> {
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port });
  open.push(server);
  return server;
}

describe('the page of a worker', () => {
  test('is served in the text format of Prometheus', async () => {
    const { address } = await serve();
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('# TYPE reconciler_rounds_total counter');
  });

  test('is all that is there, besides a sign of life', async () => {
    const { address } = await serve();
    const alive = await fetch(new URL('/livez', address));
    expect([alive.status, await alive.json()]).toEqual([200, { alive: true }]);
    expect((await fetch(new URL('/', address))).status).toBe(404);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  });

  test('takes no port that somebody else has, and says which setting to change', async () => {
    const { address } = await serve();
    const port = Number(new URL(address).port);
    const taken = serve(port);
    await expect(taken).rejects.toBeInstanceOf(PortTaken);
    await expect(taken).rejects.toThrow(/metrics\.port/);
  });

  test('ends though a scraper holds its connection', async () => {
    const server = await serve();
    await fetch(server.address);
    await server.close();
    open.length = 0;
    await expect(fetch(server.address)).rejects.toThrow('fetch failed');
  });
});

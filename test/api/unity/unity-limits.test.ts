import { expect, onTestFinished, test } from 'vitest';
import { openEmbeddedServer } from '../../support/delta/embedded-server.ts';

test('one number counts for both halves of the Unity Catalog API, and each refuses in its own envelope', async () => {
  const limits = { requestsPerMinute: 3, requestsInFlight: 100 };
  const server = await openEmbeddedServer('file:///nowhere', { principals: false, limits });
  onTestFinished(() => server.close());
  const ask = (path: string) => fetch(server.baseUrl + path);
  const config = '/delta/v1/config?catalog=none&protocol-versions=1.0';
  for (const path of ['/catalogs', config, '/catalogs']) expect((await ask(path)).status).not.toBe(429);
  const unity = await ask('/catalogs');
  expect(unity.status).toBe(429);
  expect(Number(unity.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await unity.json()).toMatchObject({ error_code: 'RESOURCE_EXHAUSTED' });
  const delta = await ask(config);
  expect(delta.status).toBe(429);
  expect(await delta.json()).toMatchObject({ error: { type: 'TooManyRequestsException', code: 429 } });
});

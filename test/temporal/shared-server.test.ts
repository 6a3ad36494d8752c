import { Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { openDesk } from '../support/temporal-desk.ts';
import { temporalAddress, timeSkippingEnvironment } from '../support/temporal-server.ts';

test('all who ask get the one server of this run', async () => {
  const [first, second] = await Promise.all([temporalAddress(), temporalAddress()]);
  expect(first).toBe(second);
  const connection = await Connection.connect({ address: first });
  await connection.close();
}, 60_000);

test('a server that cannot be had is said aloud by whoever asks', async () => {
  const desk = await openDesk(() => Promise.reject(new Error('no pip to fetch it with')));
  const answer = await (await fetch(desk.url)).json();
  expect(answer).toEqual({ missing: 'no pip to fetch it with' });
  await desk.close();
});

test('the time-skipping server skips an hour', async () => {
  const environment = await timeSkippingEnvironment();
  try {
    const before = await environment.currentTimeMs();
    await environment.sleep('1 hour');
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(3_600_000);
  } finally {
    await environment.teardown();
  }
}, 60_000);

import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beating } from '../../src/activities/context.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  let beats = 0;
  environment.on('heartbeat', () => (beats += 1));
  return { environment, beats: () => beats };
}

test('an activity beats for as long as it works, whatever it waits for, and not afterwards', async () => {
  const { environment, beats } = watched();
  let finish = (_answer: string): void => undefined;
  const running = environment.run(() => beating(() => new Promise<string>((resolve) => (finish = resolve))));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(beats()).toBe(6);
  finish('done');
  expect(await running).toBe('done');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(beats()).toBe(6);
});

test('one that fails beats no longer either', async () => {
  const { environment, beats } = watched();
  const failing = environment.run(() => beating(() => Promise.reject(new Error('no'))));
  await expect(failing).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(beats()).toBe(0);
});

import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until the condition holds; fails by name when it does not in time. */
export async function until(
  what: string,
  withinMs: number,
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await wait(everyMs);
  }
}

// Loaded into the worker process before the product: answers the bench with what memory it has, and does nothing else.
import { setTimeout as wait } from 'node:timers/promises';

const megabyte = 1024 * 1024;

process.on('message', () => void report());
process.channel?.unref(); // or the worker would not end while the bench lives

async function report() {
  for (let pass = 0; pass < 3; pass += 1) {
    globalThis.gc?.();
    await wait(300); // freed pages go back to the system a little later
  }
  process.send?.({
    now: process.memoryUsage.rss() / megabyte,
    peak: process.resourceUsage().maxRSS / 1024,
  });
}

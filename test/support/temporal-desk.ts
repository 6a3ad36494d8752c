import { once } from 'node:events';
import { createServer } from 'node:http';
import type { DevServer } from '../../src/temporal/dev-server.ts';

/** What test files get from the desk. */
export type DeskAnswer = { readonly address: string } | { readonly missing: string };

/**
 * Hands out the one dev server of a test run, and starts it when the first test file asks: runs that need none do not
 * pay for it. Lives in the process of the test runner, since test files come and go.
 */
export async function openDesk(start: () => Promise<DevServer>) {
  let starting: Promise<DevServer> | undefined;
  const answer = async (): Promise<DeskAnswer> => {
    try {
      starting ??= start();
      return { address: (await starting).address };
    } catch (error) {
      return { missing: error instanceof Error ? error.message : String(error) };
    }
  };
  const desk = createServer((_request, response) => {
    void answer().then((words) => response.end(JSON.stringify(words)));
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  const place = desk.address();
  if (place === null || typeof place === 'string') throw new TypeError('the desk has no port');
  return {
    url: `http://127.0.0.1:${place.port}/`,
    close: async () => {
      desk.close();
      desk.closeAllConnections();
      await (await starting?.catch(() => undefined))?.stop();
    },
  };
}

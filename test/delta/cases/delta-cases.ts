import { afterAll, beforeAll, describe, test } from 'vitest';
import { allCases } from './delta-case.ts';
import type { DeltaServer, OpenDeltaServer } from './delta-server.ts';
import { playCase } from './play-case.ts';

/** Every case of delta-cases.json over HTTP, on whatever server is opened. Says which it leaves out, and why. */
export function deltaCases(name: string, open: OpenDeltaServer): void {
  describe(`cases of the Delta API: ${name}`, () => {
    for (const principals of [false, true]) {
      describe(principals ? 'with principals' : 'without principals', () => {
        let server: DeltaServer;
        beforeAll(async () => {
          server = await open({ principals });
        });
        afterAll(() => server?.close());

        const cases = allCases.filter(({ requires = [] }) => requires.includes('principals') === principals);
        for (const one of cases) {
          test(`${one.id} ${one.title}`, async ({ skip }) => {
            const missing = one.requires?.filter((needed) => !server.offers.has(needed)) ?? [];
            if (missing.length > 0) skip(`the server has no ${missing.join(', ')}`);
            await playCase(server, one);
          });
        }
      });
    }
  });
}

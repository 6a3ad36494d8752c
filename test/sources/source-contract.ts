import { afterAll, beforeAll, describe } from 'vitest';
import { batchCases } from './contract/batches.ts';
import { Bench } from './contract/bench.ts';
import { identityCases } from './contract/identity.ts';
import { listingCases } from './contract/listing.ts';
import { nameCases } from './contract/names.ts';
import { objectCases } from './contract/objects.ts';
import { outageCases } from './contract/outages.ts';
import type { SourceWorld } from './source-world.ts';

/**
 * What every adapter of the port `Source` has to hold, run against a real system. Call it in a test file of its own;
 * `start` is called once, before the first test.
 */
export function sourceContract(name: string, start: () => Promise<SourceWorld>): void {
  describe(`source contract: ${name}`, () => {
    const bench = new Bench();
    beforeAll(() => bench.start(start));
    afterAll(() => bench.close());

    objectCases(bench);
    identityCases(bench);
    batchCases(bench);
    nameCases(bench);
    listingCases(bench);
    outageCases(bench);
  });
}

import { afterAll, beforeAll, describe } from 'vitest';
import { reading } from './contract/reading.ts';
import type { RegistryBench } from './contract/registry-bench.ts';
import { removing } from './contract/removing.ts';
import { repointing } from './contract/repointing.ts';
import { restoring } from './contract/restoring.ts';

/** What every adapter of the port does. Open one bench for the whole suite; each test has a catalog of its own. */
export function registryContract(name: string, open: () => Promise<RegistryBench>): void {
  describe(`the Registry port: ${name}`, () => {
    let bench: RegistryBench;
    beforeAll(async () => {
      bench = await open();
    });
    afterAll(() => bench?.close());

    reading(() => bench);
    removing(() => bench);
    repointing(() => bench);
    restoring(() => bench);
  });
}

import { afterAll, beforeAll, describe } from 'vitest';
import type { BackendBench } from './contract/backend-bench.ts';
import { rows } from './contract/rows.ts';
import { staging } from './contract/staging.ts';
import { units } from './contract/units.ts';

/** What every backend of the port `DeltaBackend` has to hold. Each test has a schema of its own. */
export function backendContract<Cx>(name: string, open: () => Promise<BackendBench<Cx>>): void {
  describe(`the DeltaBackend port: ${name}`, () => {
    let bench: BackendBench<Cx>;
    beforeAll(async () => {
      bench = await open();
    });
    afterAll(() => bench?.close());

    rows(() => bench);
    staging(() => bench);
    units(() => bench);
  });
}

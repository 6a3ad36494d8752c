import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startUp } from '../kills/cli-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { findSchemathesis, schemathesis, writeSettings } from '../support/schemathesis.ts';

/** Some thousand requests, of which the rounds take a second each. */
const patienceMs = 480_000;

/**
 * Requests that our own document allows and forbids, by the thousand, against the whole product with its demo: no
 * answer of 500 or above, and none that the document does not describe.
 */
test('the API keeps to its OpenAPI document', { timeout: patienceMs + 120_000 }, async () => {
  const folder = await scratchFolder();
  const data = join(folder, 'data');
  const up = startUp(data);
  await up.says(/What you can do now/, 120_000);
  const address = /API +(http:\S+)/.exec(up.output())?.[1] ?? '';
  await writeSettings(folder);

  const { ok, says } = await schemathesis(
    await findSchemathesis(),
    [
      'run',
      `${address}/api/openapi.json`,
      '--checks=all',
      '--max-examples=10',
      '--seed=20261201',
      '--continue-on-failure',
      '--no-color',
      // rounds are waited for, though not for long
      '--header=Prefer: wait=1',
    ],
    { cwd: folder, timeoutMs: patienceMs },
  );
  expect(ok, says.slice(-20_000)).toBe(true);
  expect(says).toMatch(/Tested: \d+/);
  expect(await readFile(join(data, 'catalog-reconciler.log'), 'utf8')).not.toContain('undocumented problem');
  expect(await up.stop('SIGINT')).toMatchObject({ code: 0 });
});

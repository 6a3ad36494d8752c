import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const entry = join(src, 'main', 'cli.ts');

/** Runs the command line as a process of its own. */
function run(args: readonly string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, ['--import', 'tsx', entry, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err });
    });
  });
}

test('a process ends with the exit code of its command, results and errors on streams of their own', async () => {
  const [help, nowhere, wrong] = await Promise.all([
    run(['--help']),
    run(['catalogs'], { RECONCILER_API: 'http://127.0.0.1:1' }),
    run(['stale']),
  ]);
  expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage: catalog-reconciler') });
  expect(nowhere).toMatchObject({ code: 3, out: '', err: expect.stringContaining('at http://127.0.0.1:1') });
  expect(wrong).toMatchObject({ code: 2, out: '' });
});

test('help is quick: nothing but the parser is loaded before a command runs', () => {
  expect([...packagesOf(entry)].sort()).toEqual(['commander']);
});

/** The packages that a file and what it imports load when they are loaded. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const statics = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm);
  for (const [, specifier = ''] of statics) {
    if (specifier.startsWith('.'))
      for (const name of packagesOf(join(dirname(file), specifier), seen)) packages.add(name);
    else if (!specifier.startsWith('node:')) packages.add(specifier);
  }
  expect(relative(src, file)).not.toMatch(/^(api|temporal|ledger)\//);
  return packages;
}

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPipPackage } from './pip-package.ts';

const run = promisify(execFile);
const version = '4.32.5';

/** The property-based tester of OpenAPI documents. */
export function findSchemathesis(): Promise<string> {
  return findPipPackage({
    name: `schemathesis-${version}`,
    install: [`schemathesis==${version}`],
    prove: async (folder) => schemathesis(folder, ['--version'], { timeoutMs: 60_000 }),
  });
}

/** Runs it and hands back what it says, whether or not it found something. */
export async function schemathesis(
  folder: string,
  args: readonly string[],
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd?: string },
): Promise<{ readonly ok: boolean; readonly says: string }> {
  const env = { ...process.env, PYTHONPATH: folder, NO_COLOR: '1' };
  const options = { env, timeout: timeoutMs, maxBuffer: 64 * 1_048_576, ...(cwd === undefined ? {} : { cwd }) };
  try {
    const { stdout } = await run('python3', ['-m', 'schemathesis.cli', ...args], options);
    return { ok: true, says: stdout };
  } catch (error) {
    const says = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    if (error instanceof Error && 'code' in error && error.code === 1) return { ok: false, says };
    throw error;
  }
}

/**
 * Its settings for our API: a version that was not seen (412) and a key of another request (422) are no faults of the data; what is too large is refused as such (413, 414, 431); and the demo has a catalog whose source
 * is away, from which nothing can be imported.
 */
export async function writeSettings(folder: string): Promise<void> {
  const settings = `
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 412, 422, 429, "5xx"]
negative_data_rejection.expected-statuses = [400, 404, 405, 409, 412, 413, 414, 415, 422, 428, 429, 431]

[[operations]]
include-path-regex = "/import$"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 502]
`;
  await writeFile(join(folder, 'schemathesis.toml'), settings);
}

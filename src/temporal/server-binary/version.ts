import type { RunCommand } from './run-command.ts';

/** An executable that has proved to be the Temporal CLI, and the version of the server inside it. */
export interface TemporalCli {
  readonly path: string;
  readonly serverVersion: string;
}

/**
 * Asks the file at `path` for its version. Throws when it does not run here (wrong machine, truncated, no permission),
 * is something else of that name, or holds a server that is too old for us.
 */
export async function proveTemporalCli(path: string, run: RunCommand): Promise<TemporalCli> {
  const outcome = await run(path, ['--version'], { timeoutMs: versionTimeoutMs });
  if (!outcome.ok) throw new Error(`${path} does not run: ${outcome.why}`);
  const [, serverVersion, major, minor] = /\bserver v?((\d+)\.(\d+)\.\d+)/i.exec(outcome.stdout) ?? [];
  if (serverVersion === undefined) {
    throw new Error(`${path} is not the Temporal CLI: it says ${JSON.stringify(outcome.stdout.trim().slice(0, 80))}`);
  }
  if (Number(major) * 1000 + Number(minor) < oldest.major * 1000 + oldest.minor) {
    throw new Error(`${path} holds server ${serverVersion}, older than ${oldestServer}`);
  }
  return { path, serverVersion };
}

const oldest = { major: 1, minor: 28 }; // decisions are sent by update-with-start, on by default from here

/** The oldest server that we work with. */
export const oldestServer = `${oldest.major}.${oldest.minor}`;

const versionTimeoutMs = 15_000; // answers in 0.1 s; a cold disk or a virus scanner may read 150 MB first

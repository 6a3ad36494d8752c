import { execFile } from 'node:child_process';

/** How a command ended: well, or not, with a short reason for people. */
export type CommandOutcome =
  | { readonly ok: true; readonly stdout: string }
  | { readonly ok: false; readonly why: string };

/** Runs a command without a shell, and never longer than `timeoutMs`. An argument everywhere, so that tests can play it. */
export type RunCommand = (
  command: string,
  args: readonly string[],
  limits: { readonly timeoutMs: number },
) => Promise<CommandOutcome>;

export const runCommand: RunCommand = (command, args, { timeoutMs }) =>
  new Promise((resolve) => {
    // SIGKILL: a fetch that hangs in the network may not react to anything softer
    execFile(command, [...args], { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (error === null) resolve({ ok: true, stdout });
      else if (error.code === 'ENOENT') resolve({ ok: false, why: 'not installed' });
      else if (error.killed === true) resolve({ ok: false, why: `no end after ${timeoutMs / 1000} s` });
      else resolve({ ok: false, why: reasonIn(stderr) ?? error.message });
    });
  });

/** The last error line that a tool printed: enough to act on, and short enough for a list of attempts. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const told = lines.findLast((line) => /^error/i.test(line)) ?? lines.at(-1);
  return told?.slice(0, longestReason);
}

const longestReason = 400; // a message with five attempts still fits on one screen

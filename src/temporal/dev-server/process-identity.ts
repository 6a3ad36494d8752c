import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** A process, and what tells it from a later one that was given the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * The process that has this pid now; `undefined` if none has. One that ended and was not collected yet counts as none:
 * in a container without an init, an orphan stays in that state for ever.
 */
export async function identify(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<ProcessIdentity | undefined> {
  const startedAt = platform === 'linux' ? await startFromProc(pid) : await startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export async function stillRuns({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.startedAt === startedAt;
}

async function startFromProc(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // the second field is the program's name in brackets and may hold anything; the third follows the last bracket
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[22 - 3]]; // man proc: field 22 is the start in ticks since boot
    if (state === undefined || ticks === undefined || endedStates.includes(state)) return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    // a fixed environment: the date must be spelled alike in every session
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' };
    execFile('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env, timeout: 5_000 }, (error, stdout) => {
      const [state = 'Z', ...start] = stdout.trim().split(/\s+/);
      resolve(error !== null || endedStates.includes(state.charAt(0)) ? undefined : start.join(' '));
    });
  });
}

const endedStates = ['Z', 'X', 'x'];

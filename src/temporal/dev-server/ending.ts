import { setTimeout as pause } from 'node:timers/promises';
import { type ProcessIdentity, stillRuns } from './process-identity.ts';

/**
 * Ends the server and whatever it started: asks first, insists after `patienceMs`. Does nothing when the pid belongs to
 * another process by now. Throws when it survives even that. Takes `patienceMs + insistMs` (5 s) at most.
 */
export async function endServer(server: ProcessIdentity): Promise<void> {
  if (!(await stillRuns(server))) return;
  signalGroup(server.pid, 'SIGTERM');
  if (await goneWithin(server, patienceMs)) return;
  signalGroup(server.pid, 'SIGKILL');
  if (await goneWithin(server, insistMs)) return;
  throw new Error(`the Temporal dev server (pid ${server.pid}) does not end`);
}

async function goneWithin(server: ProcessIdentity, withinMs: number): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    if (!(await stillRuns(server))) return true;
    await pause(lookEveryMs);
  }
  return false;
}

/** The server leads its own group, so its children get the signal too. */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error; // ESRCH: gone already
  }
}

const patienceMs = 3_500; // an idle server takes 1.3 s, one under load about twice that
const insistMs = 1_000; // the kernel needs milliseconds; a swapping machine a little more
const lookEveryMs = 50;

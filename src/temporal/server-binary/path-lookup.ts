import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { RunCommand } from './run-command.ts';
import { proveTemporalCli, type TemporalCli } from './version.ts';

/** The first `temporal` on PATH that works for us; throws with what was wrong with each one seen. */
export async function temporalOnPath(pathEnv: string, run: RunCommand): Promise<TemporalCli> {
  const faults: string[] = [];
  // relative entries mean "whatever folder we happen to stand in": never run a program from there
  for (const folder of pathEnv.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const path = join(folder, 'temporal');
    try {
      await access(path, constants.X_OK);
    } catch {
      continue;
    }
    try {
      return await proveTemporalCli(path, run);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(faults.length === 0 ? 'not there' : faults.join('; '));
}

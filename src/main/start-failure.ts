import { ConfigError } from '../config/problem.ts';
import { LaunchFailed, DevServerInUse } from '../temporal/dev-server.ts';
import { TemporalServerMissing } from '../temporal/server-binary.ts';
import { DataFolderInUse } from './data-folder.ts';
import { DatabaseUnreachable } from './database.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { EmbeddedNeedsOneProcess } from './services.ts';
import { PortTaken } from './listen.ts';
import { TemporalUnreachable } from './temporal-server.ts';

/** Everything that keeps a process from starting and that its user can mend: the message says how. */
const expected = [
  ConfigError,
  DataFolderInUse,
  DatabaseUnreachable,
  DevServerInUse,
  EmbeddedNeedsOneProcess,
  LaunchFailed,
  PortTaken,
  TemporalServerMissing,
  TemporalUnreachable,
];

/** Prints why a process could not start, without a stack where the message is for its user. */
export async function reportingFailure(tell: (line: string) => void, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (!expected.some((known) => error instanceof known)) throw error;
    // a terminal takes one line at a time
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n')) tell(line);
    return error instanceof ConfigError ? exitCodes.usage : exitCodes.refused;
  }
}

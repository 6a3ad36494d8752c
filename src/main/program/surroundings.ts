import type { CliDefaults } from '../../config/cli-defaults.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What the wiring of commands needs from outside. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Called with a command's exit code when it is done. */
  readonly done: (code: ExitCode) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly defaults: CliDefaults;
}

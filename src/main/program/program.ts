import { Command, CommanderError } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { packageVersion } from '../package-version.ts';
import { addDecisionCommands } from './decision-commands.ts';
import { addProcessCommands } from './process-commands.ts';
import { addScanCommands } from './scan-commands.ts';
import type { Surroundings } from './surroundings.ts';

const about = `Finds catalog registrations whose tables are gone, proves it, and removes them only after a person agreed.

Exit codes: 0 done, 1 refused or failed, 2 wrong command line, 3 the API does not answer, 4 not allowed to you.`;

/** Parses the arguments (without program and script) and runs the command they name. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<void> {
  const { terminal, done } = surroundings;
  const program = new Command('catalog-reconciler').description(about).version(packageVersion());
  addProcessCommands(program, surroundings);
  addScanCommands(program, surroundings);
  addDecisionCommands(program, surroundings);
  quietly(program, surroundings);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const asked = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    if (args.length === 0) terminal.tell('Name a command; `catalog-reconciler --help` lists them.');
    done(asked ? exitCodes.ok : exitCodes.usage);
  }
}

/** Commander writes through the terminal and never ends the process by itself. */
function quietly(command: Command, surroundings: Surroundings): void {
  const { terminal } = surroundings;
  const lines = (write: (line: string) => void) => (text: string) => {
    for (const line of text.replace(/\n$/, '').split('\n')) write(line);
  };
  command.exitOverride().configureOutput({
    writeOut: lines((line) => terminal.say(line)),
    writeErr: lines((line) => terminal.tell(line)),
  });
  for (const child of command.commands) quietly(child, surroundings);
}

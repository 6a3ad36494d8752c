import { type Argument, Command, CommanderError } from 'commander';
import { exitCodes, exitMeanings } from '../exit-codes.ts';
import { folded, pageWidth } from '../terminal/table.ts';
import { packageVersion } from '../package-version.ts';
import { addDecisionCommands } from './decision-commands.ts';
import { addProcessCommands } from './process-commands.ts';
import { addScanCommands } from './scan-commands.ts';
import type { Surroundings } from './surroundings.ts';

const about = `Finds catalog registrations whose tables are gone, proves it, and removes them only after a person agreed.

Exit codes: ${Object.entries(exitMeanings)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join(', ')}.`;

/** Every command with its options; `docs/cli.md` is printed from it. */
export function buildProgram(surroundings: Surroundings): Command {
  const program = new Command('catalog-reconciler').description(about).version(packageVersion());
  addProcessCommands(program, surroundings);
  addScanCommands(program, surroundings);
  addDecisionCommands(program, surroundings);
  return program;
}

/** Parses the arguments (without program and script) and runs the command they name. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<void> {
  const { terminal, done } = surroundings;
  const program = buildProgram(surroundings);
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
  const errors = (text: string) => {
    for (const line of text
      .trimEnd()
      .split('\n')
      .flatMap((long) => folded(long, pageWidth)))
      terminal.tell(line);
  };
  command.exitOverride().configureOutput({
    writeOut: lines((line) => terminal.say(line)),
    // help that was not asked for goes there as well, and is laid out already
    writeErr: lines((line) => terminal.tell(line)),
    outputError: errors,
  });
  command.configureHelp({
    helpWidth: pageWidth,
    // beside the longest name of a command there is less room than commander deems worth folding
    minWidthToWrap: 30,
    subcommandTerm: (child) => [child.name(), ...child.registeredArguments.map(argumentTerm)].join(' '),
  });
  for (const child of command.commands) quietly(child, surroundings);
}

/** As usage shows it. */
export function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

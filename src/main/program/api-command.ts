import { Command } from 'commander';
import type { ApiOptions } from '../commands/session.ts';
import type { Surroundings } from './surroundings.ts';

/** A command that talks to the API: all of them take the same options. */
export function apiCommand(name: string, about: string, { defaults }: Surroundings): Command {
  return new Command(name)
    .description(about)
    .option('--api <url>', 'where the API listens (RECONCILER_API)', defaults.api)
    .option('--as <name>', 'who acts; your name on this machine by default')
    .option('--json', 'print the API’s answer');
}

/** The options of a command, and whether `--api` was typed, so that suggested commands repeat it. */
export function optionsOf<T extends ApiOptions>(command: Command): T {
  return { ...command.opts<T>(), apiGiven: command.getOptionValueSource('api') === 'cli' };
}

export const catalogArgument = ['<catalog>', 'metalake/name, or the bare name where it is unique'] as const;

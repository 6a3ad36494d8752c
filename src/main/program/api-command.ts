import { Command, Option } from 'commander';
import { Secret } from '../../config/secret.ts';
import type { ApiOptions } from '../commands/session.ts';
import type { Surroundings } from './surroundings.ts';

/** A command that talks to the API: all of them take the same options. */
export function apiCommand(name: string, about: string, { defaults }: Surroundings): Command {
  return new Command(name)
    .description(about)
    .option('--api <url>', 'where the API listens (RECONCILER_API)', defaults.api)
    .addOption(
      new Option('--token <token>', 'who you are (RECONCILER_TOKEN, which other users of this machine cannot read)')
        .argParser((text) => new Secret(text))
        .default(defaults.token, 'none'),
    )
    .addOption(
      new Option('--token-file <file>', 'a file that holds the token (RECONCILER_TOKEN_FILE)').default(
        defaults.tokenFile,
      ),
    )
    .option('--as <name>', 'who acts where the API asks for no token; your name on this machine by default')
    .option('--json', 'print the API’s answer');
}

/** The options of a command, and whether `--api` was typed, so that suggested commands repeat it. */
export function optionsOf<T extends ApiOptions>(command: Command): T {
  const typed = (option: string): boolean => command.getOptionValueSource(option) === 'cli';
  const { token, ...options } = command.opts<T>();
  // a file that was typed counts before a variable
  const shown = token === undefined || (typed('tokenFile') && !typed('token')) ? {} : { token };
  return { ...options, ...shown, apiGiven: typed('api') } as T;
}

export const catalogArgument = ['<catalog>', 'metalake/name, or the bare name where it is unique'] as const;

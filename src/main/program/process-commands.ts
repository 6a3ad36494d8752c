import { Command } from 'commander';
import type { ApiOptions } from '../commands/session.ts';
import type { ApiProcessOptions, StartOptions, UpOptions } from '../start-options.ts';
import { apiCommand, optionsOf } from './api-command.ts';
import { wholeNumber } from './arguments.ts';
import type { Surroundings } from './surroundings.ts';

const port = wholeNumber(0, 65_535);

/** Commands that are processes, and those that work from the configuration: up, api, worker, schedules, doctor. */
export function addProcessCommands(program: Command, surroundings: Surroundings): void {
  const { done, terminal, defaults } = surroundings;
  program.addCommand(
    startCommand('up', 'everything in one process: Temporal, worker and API, with a demo')
      .option('--no-demo', 'with your own catalogs only')
      .option('--port <number>', 'where the API listens; 0 takes any free port', port)
      .action(async (options: UpOptions) => {
        const { runUp } = await import('../up.ts');
        done(await runUp(options));
      }),
  );
  program.addCommand(
    startCommand('api', 'the API alone; needs PostgreSQL and a Temporal server')
      .option('--port <number>', 'where it listens; 0 takes any free port', port)
      .action(async (options: ApiProcessOptions) => {
        const { runApi } = await import('../api.ts');
        done(await runApi(options));
      }),
  );
  program.addCommand(
    startCommand('worker', 'a worker alone; needs PostgreSQL and a Temporal server').action(
      async (options: StartOptions) => {
        const { runWorker } = await import('../worker.ts');
        done(await runWorker(options));
      },
    ),
  );

  const schedules = new Command('schedules').description('the schedules of catalogs, as configured and as they are');
  for (const [action, about] of [
    ['apply', 'write policies and schedules as configured; an operator’s pause is kept'],
    ['show', 'compare what is configured with what there is'],
  ] as const) {
    schedules.addCommand(
      startCommand(action, about)
        .option('--json', 'print it as JSON')
        .action(async ({ json = false, ...options }: StartOptions & { readonly json?: boolean }) => {
          const { runSchedules } = await import('../schedules.ts');
          done(await runSchedules({ ...options, action, json }));
        }),
    );
  }
  program.addCommand(schedules);

  program.addCommand(
    withFiles(
      apiCommand('doctor', 'look at everything it takes, and say what to do; changes nothing', surroundings),
    ).action(async (_options, command: Command) => {
      const { runDoctor } = await import('../doctor/run-doctor.ts');
      const options = optionsOf<ApiOptions & StartOptions>(command);
      const apiNamed = options.apiGiven === true || defaults.apiNamed === true;
      done(await runDoctor({ ...options, apiNamed }, terminal));
    }),
  );
}

function startCommand(name: string, about: string): Command {
  return withFiles(new Command(name).description(about));
}

function withFiles(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration file (RECONCILER_CONFIG)')
    .option('--data-dir <folder>', 'where embedded databases and the local Temporal server keep everything');
}

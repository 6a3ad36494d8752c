import type { Command } from 'commander';
import type { OverrideOptions, ReasonOptions } from '../commands/controls.ts';
import type { DecideAllOptions } from '../commands/decide-all.ts';
import type { ListOptions } from '../commands/removals.ts';
import type { RestoreOptions } from '../commands/restore.ts';
import type { ApiOptions } from '../commands/session.ts';
import type { DecisionAction } from '../../domain/decision.ts';
import { apiCommand, catalogArgument, optionsOf } from './api-command.ts';
import { futureTime, wholeNumber } from './arguments.ts';
import type { Surroundings } from './surroundings.ts';

const decisions = {
  approve: 'let stale registrations be removed',
  reject: 'have stale registrations left alone, as long as their evidence stays the same',
  keep: 'protect registrations, whatever becomes of their evidence',
  accept: 'take what now bears the name of a replaced object for the new one',
  repoint: 'give renamed objects’ registrations the new name; id and attachments stay',
} as const satisfies Record<DecisionAction, string>;

/** Commands that decide: approve, reject, keep, accept, repoint, restore, pause, resume, override, accept-source. */
export function addDecisionCommands(program: Command, surroundings: Surroundings): void {
  const { terminal, done, now } = surroundings;

  for (const action of ['approve', 'reject', 'keep', 'accept', 'repoint'] as const) {
    const command = apiCommand(action, decisions[action], surroundings)
      .argument(...catalogArgument)
      .argument('[paths...]', 'path texts as `stale` prints them')
      .option('--all', 'every open finding that it can be decided for')
      .option('--kind <kind>', 'with --all: only schemas, tables, views or topics')
      .option('--verdict <verdict>', 'with --all: only absent, replaced, renamed or copied ones')
      .option('--under <path>', 'with --all: only this container and what is inside')
      .option('--yes', 'with --all: go on without being asked')
      .option('--reason <text>', 'why; kept in the audit')
      .action(async (catalog: string, paths: readonly string[], _options, self: Command) => {
        const { pattern, ...options } = optionsOf<DecideAllOptions & { readonly pattern?: string }>(self);
        if (pattern !== undefined) {
          const { runKeepPattern } = await import('../commands/keeps.ts');
          done(await runKeepPattern(catalog, paths, { ...options, pattern }, terminal));
        } else if (options.all === true) {
          const { runDecideAll } = await import('../commands/decide-all.ts');
          done(await runDecideAll(action, catalog, paths, options, terminal));
        } else {
          const { runDecide } = await import('../commands/decide.ts');
          done(await runDecide(action, catalog, paths, options, terminal));
        }
      });
    if (action === 'keep') {
      command
        .option('--until <date>', 'until then; for good where not given', futureTime(now))
        .option('--pattern <pattern>', 'instead of paths: whatever matches, now and later, as in "sales/**"');
    }
    program.addCommand(command);
  }

  program.addCommand(
    apiCommand('keeps', 'list the standing keeps of a catalog', surroundings)
      .argument(...catalogArgument)
      .option('--limit <count>', 'at most so many', wholeNumber(1, 500), 100)
      .action(async (catalog: string, _options, command: Command) => {
        const { runKeeps } = await import('../commands/keeps.ts');
        done(await runKeeps(catalog, optionsOf<ListOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('unkeep', 'take a standing keep back', surroundings)
      .argument(...catalogArgument)
      .argument('<id>', 'as `keeps` prints it')
      .action(async (catalog: string, id: string, _options, command: Command) => {
        const { runUnkeep } = await import('../commands/keeps.ts');
        done(await runUnkeep(catalog, id, optionsOf<ApiOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('restore', 'undo a removal: the same ids, with what was attached', surroundings)
      .argument(...catalogArgument)
      .argument('<removal-id>', 'as `removals` prints it, or `removals --json` for all')
      .option('--reason <text>', 'why; kept in the audit')
      .action(async (catalog: string, removal: string, _options, command: Command) => {
        const { runRestore } = await import('../commands/restore.ts');
        done(await runRestore(catalog, removal, optionsOf<RestoreOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('pause', 'remove nothing of a catalog until resumed; rounds go on', surroundings)
      .argument(...catalogArgument)
      .requiredOption('--reason <text>', 'why; shown to everybody who waits')
      .action(async (catalog: string, _options, command: Command) => {
        const { runPause } = await import('../commands/controls.ts');
        done(await runPause(catalog, optionsOf<ReasonOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('resume', 'end a pause, or a stop of the removal loop', surroundings)
      .argument(...catalogArgument)
      .action(async (catalog: string, _options, command: Command) => {
        const { runResume } = await import('../commands/controls.ts');
        done(await runResume(catalog, optionsOf<ApiOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('override', 'let what the guard holds now go, up to a count, for a while', surroundings)
      .argument(...catalogArgument)
      .option('--max <count>', 'at most so many registrations', wholeNumber(1, 1_000_000))
      .option('--for <seconds>', 'until it expires', wholeNumber(1, 31 * 24 * 3_600))
      .option('--reason <text>', 'why; kept in the audit')
      .option('--approve <id>', 'instead of these: approve what somebody else asked for, under four eyes')
      .action(async (catalog: string, _options, command: Command) => {
        const { runOverride } = await import('../commands/controls.ts');
        done(await runOverride(catalog, optionsOf<OverrideOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('overrides', 'list the overrides of a catalog with their states', surroundings)
      .argument(...catalogArgument)
      .option('--limit <count>', 'at most so many', wholeNumber(1, 500), 100)
      .action(async (catalog: string, _options, command: Command) => {
        const { runOverrides } = await import('../commands/controls.ts');
        done(await runOverrides(catalog, optionsOf<ListOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('accept-source', 'accept what now answers behind the address of a catalog', surroundings)
      .argument(...catalogArgument)
      .requiredOption('--reason <text>', 'why; kept in the audit')
      .action(async (catalog: string, _options, command: Command) => {
        const { runAcceptSource } = await import('../commands/controls.ts');
        done(await runAcceptSource(catalog, optionsOf<ReasonOptions>(command), terminal));
      }),
  );
}

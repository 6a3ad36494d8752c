import { type Command, Option } from 'commander';
import type { AuditOptions } from '../commands/audit.ts';
import type { ReconcileOptions } from '../commands/reconcile.ts';
import type { ListOptions } from '../commands/removals.ts';
import type { ApiOptions } from '../commands/session.ts';
import type { StaleOptions } from '../commands/stale.ts';
import { apiCommand, catalogArgument, optionsOf } from './api-command.ts';
import { wholeNumber } from './arguments.ts';
import type { Surroundings } from './surroundings.ts';

/** The API's largest page, beyond which lists are for programs. */
const maxListed = 500;

/** Commands that look: catalogs, import, reconcile, stale, removals, audit, policies, rounds. */
export function addScanCommands(program: Command, surroundings: Surroundings): void {
  const { terminal, done } = surroundings;
  const limit = wholeNumber(1, maxListed);

  program.addCommand(
    apiCommand('catalogs', 'every catalog at a glance', surroundings).action(async (_options, command: Command) => {
      const { runCatalogs } = await import('../commands/catalogs.ts');
      done(await runCatalogs(optionsOf<ApiOptions>(command), terminal));
    }),
  );

  program.addCommand(
    apiCommand('import', 'register what the source of a catalog lists; adds, never removes', surroundings)
      .argument(...catalogArgument)
      .action(async (catalog: string, _options, command: Command) => {
        const { runImport } = await import('../commands/import.ts');
        done(await runImport(catalog, optionsOf<ApiOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('reconcile', 'run a round now, whether or not the schedule is on', surroundings)
      .argument(...catalogArgument)
      .option('--dry-run', 'look only: nothing is judged, nothing removed')
      .option('--wait', 'wait until it has ended, however long that takes')
      .action(async (catalog: string, _options, command: Command) => {
        const { runReconcile } = await import('../commands/reconcile.ts');
        done(await runReconcile(catalog, optionsOf<ReconcileOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('stale', 'stale registrations, since when, and what each waits for', surroundings)
      .argument(...catalogArgument)
      .option('--kind <kind>', 'schema, table, view or topic')
      .option('--verdict <verdict>', 'absent, replaced, renamed or copied')
      .addOption(
        new Option('--state <state>', 'which of them; what was rejected is not open')
          .choices(['open', 'rejected', 'closed', 'all'])
          .default('open'),
      )
      .option('--limit <count>', 'at most so many', wholeNumber(1, 100_000), 100)
      .action(async (catalog: string, _options, command: Command) => {
        const { runStale } = await import('../commands/stale.ts');
        done(await runStale(catalog, optionsOf<StaleOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('removals', 'what was removed and what was not, newest first', surroundings)
      .argument(...catalogArgument)
      .option('--limit <count>', 'at most so many', limit, 20)
      .action(async (catalog: string, _options, command: Command) => {
        const { runRemovals } = await import('../commands/removals.ts');
        done(await runRemovals(catalog, optionsOf<ListOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('audit', 'who did what, when, to what and why; newest first', surroundings)
      .argument('[catalog]', 'only of this one: metalake/name, or the bare name where it is unique')
      .option('--limit <count>', 'at most so many', limit, 20)
      .option('--after <id>', 'oldest first, after this entry', wholeNumber(0, Number.MAX_SAFE_INTEGER))
      .option('--follow', 'go on with what comes, until interrupted')
      .action(async (catalog: string | undefined, _options, command: Command) => {
        const { runAudit } = await import('../commands/audit.ts');
        done(await runAudit(catalog, optionsOf<AuditOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('policies', 'the policy in force of each catalog, or of one', surroundings)
      .argument('[catalog]', 'everything about this one: metalake/name, or the bare name where it is unique')
      .action(async (catalog: string | undefined, _options, command: Command) => {
        const { runPolicies } = await import('../commands/policies.ts');
        done(await runPolicies(catalog, optionsOf<ApiOptions>(command), terminal));
      }),
  );

  program.addCommand(
    apiCommand('rounds', 'rounds and dry scans, newest first', surroundings)
      .argument(...catalogArgument)
      .option('--limit <count>', 'at most so many', limit, 20)
      .action(async (catalog: string, _options, command: Command) => {
        const { runRounds } = await import('../commands/rounds.ts');
        done(await runRounds(catalog, optionsOf<ListOptions>(command), terminal));
      }),
  );
}

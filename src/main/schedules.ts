import { policyFor } from '../config/policy-for.ts';
import { applySchedules, showSchedules } from '../schedules/apply.ts';
import { type ScheduleRequest, wantedSchedules } from '../schedules/desired.ts';
import type { ScheduleClient } from '@temporalio/client';
import type { Actor } from '../domain/actor.ts';
import { lazyClient } from '../temporal/connection.ts';
import { applyCatalogs } from './configured-catalogs.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { osUser } from './os-user.ts';
import { allCatalogs, applyPolicies, type AppliedPolicy } from './policies.ts';
import { processConfig } from './process-config.ts';
import { appliedLines, shownLines } from './schedule-lines.ts';
import { openServices, type Services } from './services.ts';
import { reportingFailure } from './start-failure.ts';
import type { SchedulesOptions } from './start-options.ts';
import { configuredTemporal, prepareNamespace } from './temporal-server.ts';
import { openTerminal } from './terminal/terminal.ts';

/** What one `apply` did, policies and schedules alike. */
export interface AppliedAll {
  readonly policies: readonly AppliedPolicy[];
  readonly schedules: Awaited<ReturnType<typeof applySchedules>>;
}

/** Makes registry, policies and schedules be as configured; an operator's pause stays. */
export async function applyAll(services: Services, client: ScheduleClient, actor: Actor): Promise<AppliedAll> {
  await applyCatalogs(services, services.config);
  const policies = await applyPolicies(services, actor);
  return { policies, schedules: await applySchedules(client, wantedSchedules(await requests(services))) };
}

async function requests(services: Services): Promise<readonly ScheduleRequest[]> {
  const names = await allCatalogs(services);
  return names.map((name) => ({ name, ...policyFor(services.config, name.metalake, name.catalog) }));
}

/** `schedules apply` and `schedules show`. */
export function runSchedules({ action, json, ...options }: SchedulesOptions): Promise<ExitCode> {
  const terminal = openTerminal({ out: process.stdout, err: process.stderr });
  return reportingFailure(
    (line) => terminal.tell(line),
    async () => {
      const config = processConfig(options);
      const services = await openServices(config, undefined);
      const settings = configuredTemporal(config);
      await prepareNamespace(settings);
      const temporal = lazyClient(settings);
      try {
        if (action === 'show') {
          const shown = await showSchedules(temporal.client.schedule, wantedSchedules(await requests(services)));
          if (json) terminal.json(shown);
          else for (const line of shownLines(shown)) terminal.say(line);
          return exitCodes.ok;
        }
        const actor: Actor = { name: osUser(), verified: false, via: 'cli' };
        const applied = await applyAll(services, temporal.client.schedule, actor);
        if (json) terminal.json(applied);
        else for (const line of appliedLines(applied)) terminal.say(line);
        return applied.schedules.some(({ failure }) => failure !== undefined) ? exitCodes.refused : exitCodes.ok;
      } finally {
        await temporal.close();
        await services.close();
      }
    },
  );
}

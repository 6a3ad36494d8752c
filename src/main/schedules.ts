import { policyFor } from '../config/policy-for.ts';
import { applySchedules, showSchedules } from '../schedules/apply.ts';
import { inBatches } from '../schedules/batches.ts';
import { type ScheduleRequest, wantedSchedules } from '../schedules/desired.ts';
import type { ScheduleClient } from '@temporalio/client';
import type { Actor } from '../domain/actor.ts';
import { pathText } from '../domain/path.ts';
import type { ShownSchedule } from '../schedules/show.ts';
import { lazyClient } from '../temporal/connection.ts';
import { applyCatalogs } from './configured-catalogs.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { osUser } from './os-user.ts';
import { allCatalogs, applyPolicies, type AppliedPolicy } from './policies.ts';
import { processConfig } from './process-config.ts';
import { type ShownCatalog, appliedLines, shownLines } from './schedule-lines.ts';
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
  const wanted = wantedSchedules(await requests(services));
  const schedules = await applySchedules(client, wanted);
  await noteSchedules(services, actor, wanted, schedules);
  return { policies, schedules };
}

/** What was done to schedules stands in the audit, beside what was done to policies; what was left alone does not. */
async function noteSchedules(
  { ledger, activityDeps }: Services,
  actor: Actor,
  wanted: ReturnType<typeof wantedSchedules>,
  applied: AppliedAll['schedules'],
): Promise<void> {
  const times = new Map(wanted.map((schedule) => [schedule.scheduleId, schedule.times]));
  for (const { scheduleId, name, change, failure } of applied) {
    if (change === 'keep') continue;
    const detail = {
      change,
      times: times.get(scheduleId) ?? null,
      ...(failure === undefined ? {} : { failure }),
    };
    const catalog = pathText([name.metalake, name.catalog]);
    const action = failure === undefined ? 'schedule-applied' : 'schedule-not-applied';
    await ledger.audit.note({ at: activityDeps.clock(), catalog, actor, action, subject: scheduleId, detail });
  }
}

async function requests(services: Services): Promise<readonly ScheduleRequest[]> {
  const names = await allCatalogs(services);
  return names.map((name) => ({ name, ...policyFor(services.config, name.metalake, name.catalog) }));
}

/** Each with the version of its policy, and whether somebody changed that over the API. */
async function withPolicies(
  { ledger }: Services,
  schedules: readonly ShownSchedule[],
): Promise<readonly ShownCatalog[]> {
  return inBatches(schedules, readsAtOnce, async (schedule) => {
    const { metalake, catalog } = schedule.name;
    const [latest] = await ledger.catalogs.policyVersions(pathText([metalake, catalog]), { limit: 1 });
    const { version = 0, changedOverApi = false } = latest ?? {};
    return { ...schedule, policy: { version, changedOverApi } };
  });
}

const readsAtOnce = 8; // as many as the pool of a process has connections for

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
          const schedules = await showSchedules(temporal.client.schedule, wantedSchedules(await requests(services)));
          const shown = await withPolicies(services, schedules);
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

import { join } from 'node:path';
import { catalogKey } from '../../api/addresses.ts';
import type { Config } from '../../config/config.ts';
import { policyFor } from '../../config/policy-for.ts';
import type { CatalogName } from '../../contract/names.ts';
import { showSchedules } from '../../schedules/apply.ts';
import { wantedSchedules } from '../../schedules/desired.ts';
import { lazyClient, namespaceOf, type TemporalSettings } from '../../temporal/connection.ts';
import { runningDevServer } from '../../temporal/dev-server.ts';
import { grpcCodes } from '../../temporal/grpc-codes.ts';
import {
  type Answered,
  type NamespaceReport,
  type QueueReport,
  reportNamespace,
} from '../../temporal/namespace-report.ts';
import { configuredTemporal } from '../temporal-server.ts';
import { counted, someOf } from './configuration.ts';
import { type Diagnosis, diagnosing, inTime, whyOf } from './diagnosis.ts';

const withinMs = 10_000;
/** Less, and a round of last night cannot be looked at in the Temporal UI any more. */
const shortRetentionMs = 24 * 3_600_000;
/** A worker asks again every minute at the latest; the server remembers one that left for five. */
const freshMs = 2 * 60_000;

const { ok, warning, wrong, skipped } = diagnosing('temporal');

/** What there is to tell of Temporal; the settings where it answered. */
export interface TemporalFound {
  readonly diagnoses: readonly Diagnosis[];
  readonly settings?: TemporalSettings;
}

/** The configured server, or the one that `up` runs from the data folder. Changes nothing. */
export async function temporalFound(config: Config, now: number): Promise<TemporalFound> {
  let settings: TemporalSettings;
  try {
    settings = configuredTemporal(config);
  } catch (error) {
    const mend = 'check the files that temporal.tls or TEMPORAL_* variables name';
    return { diagnoses: [wrong('settings', whyOf(error), mend)] };
  }
  if (config.temporal.address === undefined) {
    const own = await runningDevServer(join(config.dataDir, 'temporal'));
    // with both databases on PostgreSQL, `api` and `worker` may be meant, which look on this machine
    const parts = config.ledger !== undefined && config.registry !== undefined;
    if (own === undefined && !parts) {
      return { diagnoses: [skipped('server', 'none is configured; `up` runs one of its own, and does not run now')] };
    }
    if (own !== undefined) {
      settings = { connectionOptions: { address: own.address }, namespace: config.temporal.namespace };
    }
  }
  const { address = 'localhost:7233' } = settings.connectionOptions;
  try {
    const report = await inTime(withinMs + 1_000, () => reportNamespace(settings, withinMs));
    return {
      diagnoses: [ok('server', `${report.serverVersion} at ${address}`), ...told(report, settings, now)],
      settings,
    };
  } catch (error) {
    const mend = 'check TEMPORAL_ADDRESS (temporal.address), temporal.tls, temporal.apiKey, and that it runs';
    return { diagnoses: [wrong('server', `${address} does not answer: ${whyOf(error)}`, mend)] };
  }
}

function told(report: NamespaceReport, settings: TemporalSettings, now: number): readonly Diagnosis[] {
  const name = namespaceOf(settings);
  return [
    ...part(report.namespace, `namespace ${name}`, 'create it, or correct TEMPORAL_NAMESPACE', (namespace) => {
      if (!namespace.registered) return [wrong(`namespace ${name}`, 'is being deleted', 'use another one')];
      const { retentionMs } = namespace;
      if (retentionMs === undefined) return [ok(`namespace ${name}`, 'is there')];
      const text = `keeps ended workflows for ${(retentionMs / 3_600_000).toFixed(0)} h`;
      return retentionMs < shortRetentionMs
        ? [warning(`namespace ${name}`, text, 'give it three days, so that people can look at rounds')]
        : [ok(`namespace ${name}`, text)];
    }),
    ...part(
      report.searchAttributes,
      'search attributes',
      'let us list them, or add them by hand as docs/deployment.md says',
      (attributes) => {
        const missing = attributes
          .filter(({ is }) => is === 'missing')
          .map(({ name: one, type }) => `${one} (${type})`);
        const others = attributes.filter(({ is }) => is === 'of-another-type').map(({ name: one }) => one);
        return [
          ...(missing.length + others.length === 0
            ? [ok('search attributes', attributes.map(({ name: one }) => one).join(', '))]
            : []),
          ...(missing.length === 0
            ? []
            : [
                warning(
                  'search attributes',
                  `not there yet: ${missing.join(', ')}`,
                  'nothing if we may add them at the next start; else add them by hand',
                ),
              ]),
          ...(others.length === 0
            ? []
            : [
                wrong(
                  'search attributes',
                  `of another type than ours: ${others.join(', ')}`,
                  'use a namespace of its own: a type cannot be changed',
                ),
              ]),
        ];
      },
    ),
    ...part(report.queues, 'task queues', 'let us describe task queues', (queues) =>
      queues.map((queue) => queueTold(queue, now)),
    ),
  ];
}

function queueTold({ queue, kind, pollers }: QueueReport, now: number): Diagnosis {
  const fresh = pollers.filter(({ lastPollAt }) => lastPollAt !== undefined && now - lastPollAt < freshMs);
  const subject = `queue ${queue}, ${kind} tasks`;
  if (fresh.length > 0) return ok(subject, counted(fresh.length, 'poller'));
  const what = kind === 'workflow' ? 'rounds and decisions wait' : 'nothing is probed or removed';
  return wrong(subject, `no worker asks for them, so ${what}`, 'start `worker` (or `up`) with this configuration');
}

/** A part that could not be had is a warning: a narrow role may not see what it needs not. */
function part<T>(
  answer: Answered<T>,
  subject: string,
  mend: string,
  tell: (value: T) => readonly Diagnosis[],
): readonly Diagnosis[] {
  if ('value' in answer) return tell(answer.value);
  const { error } = answer;
  const refused = isCoded(error, grpcCodes.permissionDenied);
  return [
    refused
      ? warning(subject, 'we are not allowed to look', mend)
      : wrong(subject, isCoded(error, grpcCodes.notFound) ? 'is not there' : whyOf(error), mend),
  ];
}

function isCoded(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Schedules as they are against the configuration, of these catalogs.
 * @param complete whether there are no other catalogs, so that a schedule of another one is one too many
 */
export async function schedulesFound(
  config: Config,
  settings: TemporalSettings,
  { names, complete }: { readonly names: readonly CatalogName[]; readonly complete: boolean },
): Promise<readonly Diagnosis[]> {
  const temporal = lazyClient(settings);
  try {
    const wanted = wantedSchedules(names.map((name) => ({ name, ...policyFor(config, name.metalake, name.catalog) })));
    const all = await inTime(withinMs * 2, () => showSchedules(temporal.client.schedule, wanted));
    const shown = complete ? all : all.filter((schedule) => schedule.wanted !== undefined);
    const differing = shown.filter(({ change }) => change !== undefined && change !== 'keep');
    const paused = shown.filter(
      ({ wanted: is, existing, change }) => is?.enabled === true && existing?.paused === true && change === 'keep',
    );
    const running = shown.filter(({ existing }) => existing?.paused === false);
    const missed = running.filter(({ existing }) => (existing?.missed ?? 0) > 0);
    return [
      ok('schedules', `${running.length} of ${counted(shown.length, 'catalog')} run on schedule`),
      ...differing.map(({ name, change }) =>
        warning(`schedule ${catalogKey(name)}`, `not as configured: to ${change}`, 'run `schedules apply`'),
      ),
      ...(paused.length === 0
        ? []
        : [
            warning(
              'schedules',
              `paused by a person: ${someOf(paused.map(({ name }) => catalogKey(name)))}`,
              'unpause them in the Temporal UI when the reason is gone',
            ),
          ]),
      ...(missed.length === 0
        ? []
        : [
            warning(
              'schedules',
              `missed some of their times: ${someOf(missed.map(({ name }) => catalogKey(name)))}`,
              'nothing if Temporal was down; otherwise see that its server keeps up',
            ),
          ]),
    ];
  } catch (error) {
    return [wrong('schedules', `cannot be read: ${whyOf(error)}`, 'let us list and describe schedules')];
  } finally {
    await temporal.close();
  }
}

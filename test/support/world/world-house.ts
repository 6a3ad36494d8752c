import { createHash, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { createReconcileActivities, createRemovalActivities } from '../../../src/activities/index.ts';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import type { Gateway } from '../../../src/api/gateway.ts';
import { type CatalogName, searchAttributes } from '../../../src/contract/names.ts';
import { compilePatterns } from '../../../src/config/patterns.ts';
import { reconciler } from '../../../src/domain/actor.ts';
import { pathText } from '../../../src/domain/path.ts';
import { defaultPolicy, type Policy } from '../../../src/domain/policy.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { observedLedger } from '../../../src/main/observed-ledger.ts';
import { observedSource } from '../../../src/main/observed-source.ts';
import { queueWaits } from '../../../src/main/queue-waits.ts';
import { installRuntime } from '../../../src/main/sdk-runtime.ts';
import type { Watch } from '../../../src/main/services.ts';
import type { Metrics } from '../../../src/observability/metrics.ts';
import { createGateway } from '../../../src/temporal/gateway.ts';
import { addMissingAttributes } from '../../../src/temporal/search-attributes.ts';
import { prompt, startWorkers, type Workers } from '../../../src/temporal/workers.ts';
import { openTestLedger, type TestLedger } from '../ledger.ts';
import type { World } from './world.ts';
import { worldRegistry } from './world-registry.ts';
import { worldSource } from './world-source.ts';

/** The real workflows, activities and ledger over a world in memory, on a real Temporal server. */
export interface WorldHouse {
  readonly world: World;
  readonly name: CatalogName;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly client: Client;
  /** The clock that the house's activities go by. */
  readonly now: () => number;
  /** Writes a policy for every catalog of the house; what is not given is the default, with no grace and no minimum age. */
  policy(policy?: Partial<Policy>, intervalMs?: number): Promise<void>;
  /** @param bundle other workflows than those of `src`, as before or after a deploy */
  startWorker(bundle?: WorkflowBundleOption): Promise<void>;
  /** Ends the worker as a deploy would. */
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

export const oneHour = 3_600_000;

/** Activities over a world, or several that are catalogs of one metalake; the clock may be another than the machine's. */
export function worldDeps(
  world: World,
  ledger: Ledger,
  clock: () => number,
  beside: readonly World[] = [],
  metrics?: Metrics,
): ActivityDeps {
  const worlds = [world, ...beside];
  const registry = worldRegistry(...worlds);
  const sources = new Map(
    worlds.map((each) => [
      each.catalog,
      metrics === undefined ? worldSource(each) : observedSource(worldSource(each), metrics),
    ]),
  );
  return {
    ledger,
    clock,
    registryOf: () => registry,
    sourceOf: async ({ catalog }) => {
      const source = sources.get(catalog);
      if (source === undefined) throw new Error(`no world is called ${catalog}`);
      return { source, connection: { world: catalog }, probesInFlight: 16 };
    },
    patternsOf: compilePatterns,
    allowTemporalSignals: true,
    ...(metrics === undefined ? {} : { waited: queueWaits(metrics) }),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
  };
}

let bundle: Promise<WorkflowBundleOption> | undefined;

/** The workflows as production bundles them, once per test file. */
export function workflowBundle(): Promise<WorkflowBundleOption> {
  bundle ??= bundleWorkflowCode({
    workflowsPath: new URL('../../../src/workflows/index.ts', import.meta.url).pathname,
    logger: new DefaultLogger('WARN'),
  });
  return bundle;
}

/** Opens a house on the shared server, in a namespace of its own, since task queues have fixed names. */
export async function openWorldHouse(
  world: World,
  address: string,
  options: {
    readonly clock?: () => number;
    readonly ledger?: TestLedger;
    readonly beside?: readonly World[];
    /** Others than those of {@link worldDeps}. */
    readonly deps?: ActivityDeps;
    /** Counts and tells as a process of `worker` does, of the SDK's own lines too. */
    readonly watch?: Watch;
  } = {},
): Promise<WorldHouse> {
  if (options.watch === undefined) quietRuntime();
  else installRuntime({ metrics: { host: '127.0.0.1' } }, options.watch.logger, { ownSignals: true });
  const connection = await Connection.connect({ address });
  const namespace = `world-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as unknown as Long },
  });
  await addMissingAttributes(connection, namespace, Object.values(searchAttributes));
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  const opened = options.ledger ?? (await openTestLedger());
  const { watch } = options;
  const ledger = watch === undefined ? opened.ledger : observedLedger(opened.ledger, watch.metrics, watch.logger);
  const clock = options.clock ?? Date.now;
  const deps = options.deps ?? worldDeps(world, ledger, clock, options.beside, watch?.metrics);
  const name: CatalogName = { metalake: 'world', catalog: world.catalog };
  let workers: Workers | undefined;
  const house: WorldHouse = {
    world,
    name,
    ledger,
    client,
    now: clock,
    gateway: createGateway(client),
    async policy(policy = {}, intervalMs = oneHour) {
      for (const { catalog } of [world, ...(options.beside ?? [])]) {
        await ledger.catalogs.ensure(name.metalake, catalog, clock());
        await ledger.catalogs.applyPolicy({
          catalog: pathText([name.metalake, catalog]),
          policy: { ...defaultPolicy, graceMs: 0, minimumAgeMs: 0, removalsPerSecond: 50, removalBurst: 10, ...policy },
          intervalMs,
          actor: reconciler,
          now: clock(),
        });
      }
    },
    async startWorker(bundle) {
      workers = await startWorkers({
        connection: native,
        namespace,
        bundle: bundle ?? (await workflowBundle()),
        reconcileActivities: createReconcileActivities(deps),
        removalActivities: createRemovalActivities(deps),
        leave: prompt,
      });
    },
    async stopWorker() {
      workers?.stop();
      await workers?.stopped;
      workers = undefined;
    },
    async close() {
      await house.stopWorker();
      await native.close();
      await connection.close();
      if (options.ledger === undefined) await opened.close();
    },
  };
  await house.policy();
  await house.startWorker();
  return house;
}

type Long = NonNullable<
  NonNullable<
    Parameters<Connection['workflowService']['registerNamespace']>[0]['workflowExecutionRetentionPeriod']
  >['seconds']
>;

/** Once per process: Temporal's own log lines would drown the test's. */
function quietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
}
let installed = false;

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { verdictOf } from '../../src/domain/identity.ts';
import { pathText } from '../../src/domain/path.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import type { ProbeAnswer, ProbeTarget } from '../../src/domain/verdict.ts';
import { withDemo } from '../../src/main/demo/demo-config.ts';
import { makeDrift } from '../../src/main/demo/make-drift.ts';
import { demoMetalake, registeredPlans, sourcedPlans } from '../../src/main/demo/plans.ts';
import { type DemoRegistry, seedDemo } from '../../src/main/demo/seed-demo.ts';
import { type DemoSources, startDemoSources } from '../../src/main/demo/start-demo-sources.ts';
import { EmbeddedRegistry } from '../../src/registries/embedded/embedded-registry.ts';
import { EmbeddedMetalakes } from '../../src/registries/embedded/metalakes.ts';
import { migrationsFolder, migrationsTable } from '../../src/registries/embedded/migrations-folder.ts';
import { openPostgresSource } from '../../src/sources/postgres/open-postgres-source.ts';
import type { Source } from '../../src/sources/source.ts';

/** Making two clusters takes ten seconds of one processor, and ten times that where many tests share it. */
const makingMs = 240_000;

let dataDir: string;
let sources: DemoSources;
let client: PGlite;
let registry: Pick<DemoRegistry, 'metalakes'> & { readonly registryOf: (metalake: string) => EmbeddedRegistry };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'catalog-reconciler-demo-'));
  sources = await startDemoSources({ dataDir, wishedPorts: { shop: 0, analytics: 0 } });
  client = await PGlite.create();
  const db = drizzle({ client });
  await migrate(db, { migrationsFolder, migrationsTable });
  const deps = { db, now: () => 1_800_000_000_000 };
  registry = {
    metalakes: new EmbeddedMetalakes(deps),
    registryOf: (metalake) => new EmbeddedRegistry({ ...deps, metalake, stillExists: async () => 'unknown' }),
  };
}, makingMs);

afterAll(async () => {
  await sources?.stop();
  await client?.close();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  await sources.state.reach('new');
  await seedDemo(registry, sources, soon());
});

test('every object of every catalog is registered, with what people attached to it', async () => {
  for (const { name, objects } of registeredPlans) {
    const registered = await registrations(name);
    expect(registered.map(({ path }) => pathText(path)).sort()).toEqual(
      objects.map(({ path }) => pathText(path)).sort(),
    );
    const attachments = await demo().attachments(
      name,
      registered.map(({ id }) => id),
      soon(),
    );
    for (const { id, path } of registered) {
      const { attached = {} } = objects.find((one) => pathText(one.path) === pathText(path)) ?? {};
      expect(attachments.get(id)).toMatchObject(attached);
    }
  }
});

test('what is registered exists at its source, of the kind that was registered', async () => {
  for (const plan of sourcedPlans) {
    const answers = await probe(plan.name);
    const verdicts = answers.map(({ answer, target }) => verdictOf(target.kind, answer, undefined).kind);
    expect(new Set(verdicts)).toEqual(new Set(['present']));
  }
});

test('a second start finds everything as it is and changes nothing', async () => {
  const before = await everything();
  await seedDemo(registry, sources, soon());
  expect(await everything()).toEqual(before);
});

test('a start after a removal and a drop of people’s own does not undo them', async () => {
  const desk = await registry.metalakes.desk(demoMetalake);
  await desk?.drop({
    catalog: 'shop',
    actor: 'ann',
    target: { by: 'path', kind: 'table', path: ['stock', 'suppliers'] },
    cascade: false,
  });
  const before = await everything();
  await seedDemo(registry, sources, soon());
  expect(await everything()).toEqual(before);
});

test('a seeding that was cut short is done again, and ends like one that was not', async () => {
  const whole = await names();
  await sources.state.reach('new');
  const broken: DemoRegistry = {
    ...registry,
    registryOf: (metalake) => ({
      catalog: (name, signal) => registry.registryOf(metalake).catalog(name, signal),
      importRegistrations: async (catalog, items, actor, signal) => {
        if (catalog === 'analytics') throw new Error('the process was killed');
        return registry.registryOf(metalake).importRegistrations(catalog, items, actor, signal);
      },
    }),
  };
  await expect(seedDemo(broken, sources, soon())).rejects.toThrow('killed');
  expect(sources.state.state.stage).toBe('new');
  await seedDemo(registry, sources, soon());
  expect(await names()).toEqual(whole);
  expect(sources.state.state.stage).toBe('seeded');
});

test('a registry that forgot the demo gets all of it again', async () => {
  const emptied: DemoRegistry = {
    ...registry,
    registryOf: (metalake) => ({
      catalog: async () => undefined,
      importRegistrations: async (...given) => registry.registryOf(metalake).importRegistrations(...given),
    }),
  };
  await sources.state.reach('rounds-done');
  await seedDemo(emptied, sources, soon());
  expect(sources.state.state.stage).toBe('seeded');
});

test('a catalog follows its source to another port', async () => {
  const { shop } = sources.connections;
  const moved = {
    ...sources,
    connections: { ...sources.connections, shop: { ...shop, settings: { ...shop.settings, port: '4711' } } },
  };
  await seedDemo(registry, moved, soon());
  expect((await demo().catalogConnection('shop')).settings['port']).toBe('4711');
  await seedDemo(registry, sources, soon());
  expect((await demo().catalogConnection('shop')).settings).toEqual(shop.settings);
});

test('no drift before a round has seen everything', async () => {
  await expect(makeDrift(sources)).rejects.toThrow();
});

test.each(sourcedPlans.map((plan) => [plan.name, plan] as const))('the drift of %s is real', async (name, plan) => {
  const before = await probe(name);
  await sources.state.reach('baseline-round');
  await makeDrift(sources);
  const after = await probe(name);
  const verdicts = after.map(({ target, answer }, index) => {
    const was = before[index]?.answer;
    const remembered =
      was?.answer === 'present' ? { found: was.found, ...(was.uid === undefined ? {} : { uid: was.uid }) } : undefined;
    return { target, answer, uid: remembered?.uid, verdict: verdictOf(target.kind, answer, remembered).kind };
  });
  const gone = verdicts.filter(({ answer }) => answer.answer === 'absent' || answer.answer === 'parent-absent');
  const located = await sourceOf(name).identify(
    gone.flatMap(({ uid }) => uid ?? []),
    soon(),
  );
  const dropped = gone.filter(({ uid }) => !located.some((place) => place.uid === uid));
  const kinds = dropped.map(({ target, answer }) => `${answer.answer} ${target.kind}`).sort();
  expect(located).toHaveLength(1);
  expect(verdicts.filter(({ verdict }) => verdict === 'replaced')).toHaveLength(1);
  expect(kinds).toEqual([
    'absent schema',
    'absent table',
    'absent table',
    'absent view',
    'parent-absent table',
    'parent-absent table',
    'parent-absent table',
    'parent-absent view',
  ]);
  expect(dropped.length).toBeLessThanOrEqual(defaultPolicy.guard.minCount);
  expect(plan.objects.length).toBeGreaterThan(dropped.length);
});

test('a drift that was made and not noted is the same when it is made again', async () => {
  await sources.state.reach('baseline-round');
  await makeDrift(sources);
  const once = await probe('shop');
  await makeDrift(sources);
  expect(await probe('shop')).toEqual(once); // noted: nothing is done
  await sources.state.reach('baseline-round');
  await makeDrift(sources);
  const answersOf = (answers: typeof once) => answers.map(({ answer }) => answer.answer);
  expect(answersOf(await probe('shop'))).toEqual(answersOf(once));
});

test('the demo waits for no grace and no age, and says so in a file of its own', async () => {
  const given = { metalakes: [], catalogs: [] } as unknown as Parameters<typeof withDemo>[0];
  const { catalogs, metalakes } = await withDemo(given, dataDir, sources);
  expect(metalakes.map(({ name }) => name)).toEqual([demoMetalake]);
  for (const { reconcile } of catalogs) {
    expect(reconcile).toEqual({ policy: 'report-only', misses: 2, graceSecs: 0, minimumAgeSecs: 0 });
  }
});

function demo(): EmbeddedRegistry {
  return registry.registryOf(demoMetalake);
}

async function registrations(catalog: string) {
  return (await demo().registrations(catalog, { limit: 1_000 }, soon())).items;
}

async function names() {
  const all = await Promise.all(registeredPlans.map(({ name }) => registrations(name)));
  return all.map((items) => items.map(({ kind, path }) => `${kind} ${pathText(path)}`));
}

/** What would show any change: registrations with their versions, catalogs, events, and identities at the sources. */
async function everything() {
  const desk = await registry.metalakes.desk(demoMetalake);
  return Promise.all(
    registeredPlans.map(async ({ name }) => ({
      catalog: await desk?.catalog(name),
      registered: await registrations(name),
      events: (await desk?.events(name, 0, 10_000))?.length,
      probed: name === 'offline' ? [] : await probe(name),
    })),
  );
}

async function probe(catalog: 'shop' | 'analytics'): Promise<{ target: ProbeTarget; answer: ProbeAnswer }[]> {
  const { objects = [] } = sourcedPlans.find(({ name }) => name === catalog) ?? {};
  const targets = objects.map(({ kind, path }): ProbeTarget => ({ kind, path }));
  const { answers } = await sourceOf(catalog).probe(targets, [], soon());
  return targets.flatMap((target, index) => {
    const answer = answers[index];
    return answer === undefined ? [] : [{ target, answer }];
  });
}

function sourceOf(catalog: 'shop' | 'analytics'): Source {
  const { settings, secrets } = sources.connections[catalog];
  const source = openPostgresSource(settings, secrets);
  onTestFinished(() => source.close());
  return source;
}

/** Long enough for a machine that does other things as well. */
function soon(): AbortSignal {
  return AbortSignal.timeout(15_000);
}

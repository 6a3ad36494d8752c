import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makingOf } from '../../src/main/demo/catalog-plan.ts';
import { runStatements } from '../../src/main/demo/demo-connection.ts';
import { sourcedPlans } from '../../src/main/demo/plans.ts';
import { startDemoSources } from '../../src/main/demo/start-demo-sources.ts';
import { openPostgresSource } from '../../src/sources/postgres/open-postgres-source.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { scratchFolder } from '../support/scratch.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
});

afterAll(() => server?.close());

const soon = () => AbortSignal.timeout(15_000);

test('a lent PostgreSQL gets a database for each source, and a second start uses the same', async () => {
  const dataDir = await scratchFolder();
  for (const start of ['first', 'second']) {
    const { connections, state } = await startDemoSources({ dataDir, demoSourceUrl: server.url() });
    for (const plan of sourcedPlans) {
      const { settings, secrets } = connections[plan.name];
      expect(settings['database']).toBe(`reconciler_demo_${plan.name}`);
      if (start === 'first') await runStatements(connections[plan.name], makingOf(plan));
      const source = openPostgresSource(settings, secrets);
      onTestFinished(() => source.close());
      const targets = plan.objects.map(({ kind, path }) => ({ kind, path }));
      const { answers } = await source.probe(targets, [], soon());
      expect(answers.every(({ answer }) => answer === 'present')).toBe(true);
    }
    expect(JSON.stringify(state.state)).not.toContain(server.password);
  }
});

test('the drift is the same SQL there, and doing it twice leaves the same', async () => {
  const { connections } = await startDemoSources({ dataDir: await scratchFolder(), demoSourceUrl: server.url() });
  for (const plan of sourcedPlans) {
    await runStatements(connections[plan.name], makingOf(plan));
    await runStatements(connections[plan.name], plan.drift);
    await runStatements(connections[plan.name], plan.drift);
  }
});

test('a database of that name which holds something else is left alone', async () => {
  await server.sql('DROP DATABASE IF EXISTS reconciler_demo_shop');
  await server.sql('CREATE DATABASE reconciler_demo_shop');
  await server.sql('CREATE SCHEMA sales CREATE TABLE precious (i int)', 'reconciler_demo_shop');
  const started = startDemoSources({ dataDir: await scratchFolder(), demoSourceUrl: server.url() });
  await expect(started).rejects.toThrow(/reconciler_demo_shop .* did not make/);
  expect(await server.sql("SELECT to_regclass('sales.precious')::text AS kept", 'reconciler_demo_shop')).toEqual([
    { kept: 'sales.precious' },
  ]);
});

test('an empty database of that name, from a start that was killed, is taken over', async () => {
  await server.sql('DROP DATABASE IF EXISTS reconciler_demo_analytics');
  await server.sql('CREATE DATABASE reconciler_demo_analytics');
  await server.sql('DROP DATABASE IF EXISTS reconciler_demo_shop');
  const { connections } = await startDemoSources({ dataDir: await scratchFolder(), demoSourceUrl: server.url() });
  expect(connections.analytics.settings['database']).toBe('reconciler_demo_analytics');
});

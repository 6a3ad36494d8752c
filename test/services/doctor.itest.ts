import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnosis } from '../../src/main/doctor/diagnosis.ts';
import { callsTo } from '../kills/api-calls.ts';
import { type Deployment, openDeployment, startMs } from '../kills/deployment.ts';
import { withTemporalCli } from '../support/own-dev-server.ts';

/** `doctor` beside real servers and processes. */

let at: Deployment;

withTemporalCli();
beforeAll(async () => {
  at = await openDeployment({
    catalogs: ['sales', 'stock'],
    tables: ['orders', 'refunds'],
    reconcile: '{enabled: true, intervalSecs: 86400}',
  });
}, 300_000);
afterAll(() => at?.close());

async function doctor(env: Record<string, string> = {}) {
  const { code, out } = await at.command(['doctor', '--json'], env);
  const { diagnoses } = JSON.parse(out) as { diagnoses: readonly Diagnosis[] };
  const told = (area: string) =>
    diagnoses.filter((one) => one.area === area).map(({ state, subject, text }) => `${state} ${subject}: ${text}`);
  return { code, out, told };
}

test('before anything runs it is the workers that are missing, and nobody is disturbed by the look', async () => {
  const { code, told, out } = await doctor();
  expect(code).toBe(1);
  expect(told('temporal').filter((line) => line.startsWith('wrong'))).toEqual([
    expect.stringContaining('queue reconcile, workflow tasks: no worker'),
    expect.stringContaining('queue reconcile, activity tasks: no worker'),
    expect.stringContaining('queue removals, activity tasks: no worker'),
  ]);
  expect(told('temporal')).toContainEqual('ok schedules: 2 of 2 catalogs run on schedule');
  // what `schedules apply` did is on record
  expect(await at.ledger(`select subject from audit where action = 'schedule-applied' order by subject`)).toEqual([
    { subject: 'reconcile/lake/sales' },
    { subject: 'reconcile/lake/stock' },
  ]);
  expect(told('ledger')).toContainEqual(expect.stringMatching(/^ok migrations: all \d+ ran$/));
  expect(told('registry')).toContainEqual(expect.stringMatching(/^ok migrations: all \d+ ran$/));
  expect(told('sources')).toContainEqual(expect.stringMatching(/^ok lake\/sales: postgresql takes us for postgres; /));
  expect(told('api')).toMatchObject([expect.stringContaining('skipped')]);
  expect(out).not.toContain(at.ledgerServer.password);
}, 120_000);

test('with everything running nothing is wrong; a source that is away, one that was changed and a schedule that was not applied are told', async () => {
  await at.startApi();
  await at.startWorkers();
  const well = await doctor();
  expect([well.code, well.told('api')[0]]).toEqual([0, expect.stringContaining('answers; version')]);

  const calls = callsTo(() => at.api, 'lake', 'sales');
  await calls.import();
  expect(await calls.round(startMs)).toMatchObject({ state: 'published' });
  const { told } = await doctor();
  expect(told('sources')).toContainEqual(expect.stringMatching(/lake\/sales: .*; controls answer as they must$/));

  await at.ledger(`update catalogs set fingerprint = 'another/1' where key = 'lake/sales'`);
  const stock = at.source('stock');
  stock.cut();
  const ill = await doctor({ RECONCILER_RECONCILE_INTERVAL_SECS: '3600' });
  stock.restore();
  expect(ill.code).toBe(1);
  expect(ill.told('sources')).toContainEqual(expect.stringContaining('wrong lake/sales: another system answers'));
  expect(ill.told('sources')).toContainEqual(expect.stringMatching(/^wrong lake\/stock: /));
  expect(ill.told('temporal')).toContainEqual('warning schedule lake/stock: not as configured: to update');
}, 240_000);

test('a Temporal server and a database that do not answer are wrong, in time', async () => {
  const begun = performance.now();
  const { code, told } = await doctor({
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    RECONCILER_LEDGER_URL: 'postgresql://me@127.0.0.1:1/ledger',
  });
  expect(code).toBe(1);
  expect(told('temporal')).toEqual([expect.stringContaining('wrong server: 127.0.0.1:1 does not answer')]);
  expect(told('ledger')).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(performance.now() - begun).toBeLessThan(60_000);
}, 120_000);

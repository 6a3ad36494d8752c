import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../kills/api-calls.ts';
import { type Deployment, openDeployment, type Pair, startMs } from '../kills/deployment.ts';
import { expectNothingLost } from '../kills/invariants.ts';
import { liveThrough, type Outage, phaseCatalogs, type Told } from '../kills/outage.ts';
import { withTemporalCli } from '../support/own-dev-server.ts';
import { until } from '../support/until.ts';

/**
 * Every part killed with -9, and every cable cut, while rounds and removals stand in each of their phases: what they do
 * next is to be what they would have done, and nobody lends a hand but the next round.
 */

const noticedMs = 60_000;

const cut = (pair: Pair): Outage => ({
  strike: async ({ cables }) => cables[pair].cut(),
  async heal(at) {
    const cable = at.cables[pair];
    const ask = pair.startsWith('API') ? callsTo(() => at.api, 'lake', 'checking') : undefined;
    // Nobody would use the API meanwhile; whoever does is told that it cannot be done now.
    if (ask !== undefined) await expect(ask.startRound()).rejects.toThrow();
    await until(`${pair} is noticed to be cut`, noticedMs, () => cable.refused > 0);
    cable.restore();
  },
});

const outages: Readonly<Record<string, Outage>> = {
  'kill -9 of both workers': {
    strike: (at) => at.killWorkers(),
    heal: (at) => at.startWorkers(),
  },
  'kill -9 of the API': {
    strike: (at) => at.killApi(),
    heal: (at) => at.startApi(),
  },
  'kill -9 of the Temporal server': {
    strike: (at) => at.killTemporal(),
    heal: (at) => at.startTemporal(),
  },
  'kill -9 of PostgreSQL': {
    strike: ({ ledgerServer }) => ledgerServer.kill(),
    heal: ({ ledgerServer }) => ledgerServer.start(),
  },
  'worker–ledger cut': cut('worker–ledger'),
  'worker–source cut': {
    strike: async (at) => void (await Promise.all(at.catalogs.map(async (catalog) => at.source(catalog).cut()))),
    async heal(at) {
      await until('a source is missed', noticedMs, () => at.catalogs.some((catalog) => at.source(catalog).refused > 0));
      for (const catalog of at.catalogs) at.source(catalog).restore();
    },
  },
  'worker–registry cut': cut('worker–registry'),
  'worker–Temporal cut': cut('worker–Temporal'),
  'API–ledger cut': cut('API–ledger'),
  'API–Temporal cut': cut('API–Temporal'),
  'workers replaced one after the other': {
    strike: async () => {}, // what stands still comes to its end while its worker leaves
    async heal(at) {
      await at.replaceWorker(0);
      await at.replaceWorker(1);
    },
  },
};

const tables = Array.from({ length: 40 }, (_unused, index) => `t${String(index + 1).padStart(2, '0')}`);
/** The first is missing in the catalogs of rounds; each try of an outage takes the next two from the catalogs of removals. */
const [missing, ...rest] = tables;
const tries = 2;

describe('outages', { timeout: 420_000 }, () => {
  let at: Deployment;
  const told: (Told & { readonly outage: string })[] = [];

  withTemporalCli();
  beforeAll(async () => {
    at = await openDeployment({
      catalogs: phaseCatalogs,
      tables,
      reconcile: '{misses: 2, graceSecs: 0, minimumAgeSecs: 0, removalsPerSecond: 0.2, removalBurst: 1}',
    });
    await at.startApi();
    await at.startWorkers();
    await Promise.all(
      phaseCatalogs.map(async (catalog) => {
        const calls = callsTo(() => at.api, 'lake', catalog);
        await calls.import();
        expect(await calls.round(startMs)).toMatchObject({ state: 'published' });
        await at.atSource(catalog, `drop table app.${missing}`);
      }),
    );
  }, 300_000);
  afterAll(async () => {
    for (const { outage, what, phase, became, seconds } of told) {
      process.stdout.write(`${outage} | ${what} ${phase} | ${became} | ${seconds.toFixed(0)} s\n`);
    }
    await at?.close();
  });

  const throughIt = async (outage: Outage): Promise<readonly Told[]> => {
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const [gone, back] = rest.splice(0, 2);
      if (gone === undefined || back === undefined) throw new Error('no tables are left');
      const met = await liveThrough(at, outage, { gone, back });
      if (met !== undefined) return met;
    }
    throw new Error(`the phases were not met in ${tries} tries`);
  };

  test.each(Object.entries(outages))('%s', async (name, outage) => {
    const met = await throughIt(outage);
    told.push(...met.map((one) => ({ outage: name, ...one })));
    await expectNothingLost(at);
    for (const { what, phase, became } of met) {
      if (what === 'round') expect(became, phase).toMatch(/published$/);
      else expect(became, phase).toMatch(/^(abandoned, then |source-unreachable, then )*(removed|already-gone)/);
    }
  });
});

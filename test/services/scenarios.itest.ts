import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Coverage } from '../scenarios/coverage.ts';
import { explore } from '../scenarios/explore.ts';
import { mustHappenOften } from '../scenarios/must-happen.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { PostgresServer } from '../support/postgres-server.ts';

const forMs = 240_000;

let server: PostgresServer;
let ledger: TestLedger;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off', synchronous_commit: 'off', jit: 'off' });
  ledger = await openTestLedger(server.url(), 'once');
});
afterAll(async () => {
  await ledger?.close();
  await server?.stop();
});

/** The same ones each time, so that a change is judged by what it does; others by SCENARIOS_START, every night say. */
const start = Number(process.env['SCENARIOS_START'] ?? 1_000_000);

test('thousands of histories break no rule, and everything happens in them', { timeout: 1_200_000 }, async () => {
  console.log(`histories of the seeds from ${start}`);
  const lacks = (seen: Coverage): boolean => seen.missing(mustHappenOften).length > 0;
  const seeds = { start, count: 2_000, forMs, lacks, width: 4 };
  const { failure, coverage, played, tookMs } = await explore(ledger, seeds);
  console.log(`${played} histories in ${Math.round(tookMs / 1_000)} s\n${coverage.table()}`);
  expect(failure).toBeUndefined();
  expect(coverage.missing(mustHappenOften)).toEqual([]);
});

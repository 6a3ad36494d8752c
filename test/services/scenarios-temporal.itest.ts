import { afterAll, beforeAll, expect, test } from 'vitest';
import { Coverage } from '../scenarios/coverage.ts';
import { historyOf } from '../scenarios/explore.ts';
import { playOnTemporal } from '../scenarios/play-on-temporal.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { temporalAddress } from '../support/temporal-server.ts';

/** About ten seconds each; what they add to thousands of others are the real workflows, workers and messages. */
const count = Number(process.env['SCENARIOS_ON_TEMPORAL'] ?? 24);

let address: string;
let ledger: TestLedger;
const coverage = new Coverage();

beforeAll(async () => {
  address = await temporalAddress();
  ledger = await openTestLedger();
});
afterAll(() => ledger?.close());

test.each(Array.from({ length: count }, (_none, index) => index + 1))(
  'the history of seed %i breaks no rule on real workflows',
  { timeout: 600_000 },
  (seed) => playOnTemporal(historyOf(seed), address, ledger, coverage),
);

test('enough happened in them', () => {
  console.log(coverage.table());
  const wanted = {
    'round ended': ['published', 'scanned', 'unreachable', 'terminated'],
    'in the middle': ['crash', 'fail', 'terminate'],
    decision: ['approve accepted'],
    verdict: ['absent', 'renamed', 'replaced', 'unknown'],
  };
  expect(coverage.missing(wanted)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Coverage } from '../scenarios/coverage.ts';
import { historyOf } from '../scenarios/explore.ts';
import type { Interruption, Step } from '../scenarios/history.ts';
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

/** Which of these a seed's history meets depends on how fast the machine is; here each is met for certain. */
test.each(['crash', 'fail', 'terminate'] as const)(
  'a round that meets a %s between two probes breaks no rule on real workflows',
  { timeout: 600_000 },
  (met) => {
    const what = met === 'fail' ? { do: met, times: 1 } : { do: met };
    const during: readonly Interruption[] = [{ at: 'source.probe', call: 0, when: 'after', what }];
    const round = { do: 'round', dry: false, catalog: 0, after: 0 } as const;
    const { start } = historyOf(1);
    const steps: readonly Step[] = [
      { ...round, during: [] },
      { do: 'drop', pick: 5 },
      { ...round, during },
    ];
    return playOnTemporal({ start, steps }, address, ledger, coverage);
  },
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

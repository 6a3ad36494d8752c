import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { recordDecisions } from '../../src/activities/review-steps.ts';
import type { ActivityDeps } from '../../src/activities/deps.ts';

test('a decision that came as a signal does not count where signals are not allowed, and the log says so', async () => {
  const lines: LogEntry[] = [];
  const environment = new MockActivityEnvironment(
    {},
    { logger: new DefaultLogger('WARN', (line) => void lines.push(line)) },
  );
  // no ledger: nothing of it may be asked
  const deps = { allowTemporalSignals: false } as ActivityDeps;
  const result = await environment.run(() =>
    recordDecisions(deps, {
      metalake: 'lake',
      catalog: 'shop',
      now: 1,
      message: {
        items: [{ findingId: 'f1', digest: 'd', action: 'approve' }],
        actor: { name: 'ada', verified: false, via: 'temporal' },
        requestKey: 'r',
        notAfter: 2,
      },
    }),
  );
  expect(result).toEqual({
    answers: [
      {
        findingId: 'f1',
        answer: 'refused',
        reason: 'signals-off',
        hint: expect.stringContaining('allowTemporalSignals'),
      },
    ],
  });
  expect(lines).toMatchObject([
    { message: expect.stringContaining('signal'), meta: { catalog: 'shop', actor: 'ada' } },
  ]);
});

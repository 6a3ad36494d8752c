import fc from 'fast-check';
import { hour, minute } from '../support/builders.ts';
import { act, anyAct, elsewhere, often, pick } from './generated-acts.ts';
import type { Act, Interruption, Run, Step } from './history.ts';

const catalog = fc.nat({ max: 1 });
export const round: fc.Arbitrary<Run> = fc.record({
  do: often('round'),
  dry: fc.oneof({ weight: 9, arbitrary: often(false) }, often(true)),
  catalog,
});
export const review: fc.Arbitrary<Run> = fc.record({ do: often('review'), steps: fc.constantFrom(1, 6, 20), catalog });

/** Calls of a round, and of the removal loop, around which something may happen. */
export const roundCalls = [
  'ledger.rounds.open',
  'ledger.rounds.knownObjects',
  'source.check',
  'registry.count',
  'registry.registrations',
  'ledger.rounds.appendSnapshot',
  'ledger.rounds.snapshotCounts',
  'ledger.rounds.targets',
  'source.probe',
  'ledger.rounds.recordVerdicts',
  'source.identify',
  'ledger.rounds.waitingForParent',
  'ledger.rounds.tally',
  'ledger.rounds.toJudge',
  'ledger.rounds.recordJudgements',
  'ledger.rounds.unregistered',
  'ledger.rounds.publish',
  'ledger.rounds.tidy',
];
export const reviewCalls = [
  'ledger.removals.next',
  'ledger.removals.openIntent',
  'registry.registration',
  'registry.attachments',
  'ledger.removals.judgedInside',
  'source.probe',
  'source.identify',
  'ledger.removals.saveAttachments',
  'registry.remove',
  'registry.repoint',
  'ledger.removals.settle',
  'registry.restore',
  'ledger.restores.settle',
  'ledger.removals.openIntentOf',
  'registry.outcomeOf',
];

/** What is most likely to matter right before a removal: others were there, or it took too long. */
const lastMinute: fc.Arbitrary<Act> = fc.oneof(
  act('unregister', { pick, recorded: fc.boolean() }),
  act('attach', { pick, what: fc.constantFrom('owner', 'tag', 'comment') }),
  act('recreate', { pick }),
  act('undrop', { pick, elsewhere }),
  act('clock', { ms: often(minute) }),
);

const interruption = (calls: readonly string[]): fc.Arbitrary<Interruption> =>
  fc.record({
    at: fc.constantFrom(...calls),
    call: fc.nat({ max: 2 }),
    when: fc.constantFrom('before', 'after'),
    what: fc.oneof<fc.MaybeWeightedArbitrary<Interruption['what']>[]>(
      { weight: calls === reviewCalls ? 5 : 10, arbitrary: anyAct },
      { weight: calls === reviewCalls ? 5 : 0, arbitrary: lastMinute },
      { weight: 2, arbitrary: fc.oneof(round, review) },
      { weight: 2, arbitrary: fc.record({ do: often('crash') }) },
      { weight: 3, arbitrary: fc.record({ do: often('fail'), times: fc.constantFrom(1, 1, 9) }) },
      { weight: 1, arbitrary: fc.record({ do: often('terminate') }) },
    ),
  });

export const running = (what: fc.Arbitrary<Run>, calls: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(
      what,
      fc.oneof({ weight: 6, arbitrary: often(hour) }, fc.constantFrom(0, 5 * minute, 3 * hour, 26 * hour)),
      fc.oneof(
        { weight: 3, arbitrary: often([]) },
        { weight: 3, arbitrary: fc.array(interruption(calls), { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([run, after, during]) => ({ ...run, after, during }));

import fc from 'fast-check';
import { hour } from '../support/builders.ts';
import { act, anyAct, atTheRegistry, decide, name, often, pick } from './generated-acts.ts';
import { review, reviewCalls, round, roundCalls, running } from './generated-runs.ts';
import type { DecisionAction } from '../../src/domain/decision.ts';
import type { Beginning, History, Step } from './history.ts';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: running(round, roundCalls) },
  { weight: 5, arbitrary: running(review, reviewCalls) },
  { weight: 16, arbitrary: anyAct },
);

const beginning: fc.Arbitrary<Beginning> = fc.record({
  schemas: fc.integer({ min: 2, max: 4 }),
  tables: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 2, max: 7 }) }, fc.constantFrom(12, 20)),
  views: fc.boolean(),
  nested: fc.boolean(),
  managedViews: fc.oneof({ weight: 4, arbitrary: often(false) }, often(true)),
  attended: fc.oneof({ weight: 3, arbitrary: often(false) }, often(true)),
  parentImpliesChild: fc.oneof({ weight: 3, arbitrary: often(true) }, often(false)),
  stableIdentity: fc.oneof({ weight: 4, arbitrary: often(true) }, often(false)),
  twoCatalogs: fc.oneof({ weight: 5, arbitrary: often(false) }, often(true)),
  exclusive: fc.oneof({ weight: 4, arbitrary: often(false) }, often(true)),
  policy: fc.record({
    mode: fc.constantFrom('report-only', 'auto-remove'),
    misses: fc.oneof({ weight: 5, arbitrary: often(2) }, often(3)),
    graceHours: fc.constantFrom(0, 0, 2),
    minimumAgeHours: fc.constantFrom(0, 1, 1, 1, 60),
    approveAttended: fc.boolean(),
    minCount: fc.constantFrom(0, 3, 3, 10),
    maxShare: fc.constantFrom(0.05, 0.4, 0.8),
  }),
});

const firstRound: Step = { do: 'round', dry: false, catalog: 0, after: 0, during: [] };
const plainRound: Step = { ...firstRound, after: hour };

const plainReview = running(review, reviewCalls);

const people = (...actions: readonly DecisionAction[]) =>
  fc.array(decide(fc.constantFrom(...actions)), { maxLength: 3 });

/** What happens at the source, and what people make of it. */
const plot: fc.Arbitrary<readonly [readonly Step[], readonly Step[]]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.array(act('drop', { pick }), { minLength: 1, maxLength: 2 }), people('approve')),
  },
  { weight: 3, arbitrary: fc.tuple(fc.tuple(act('rename', { pick, name })), people('repoint')) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.tuple(act('drop', { pick }), act('rename-onto', { pick, onto: pick })),
      people('approve', 'repoint'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.tuple(act('drop', { pick }), act('recreate', { pick })), people('accept', 'approve')),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.tuple(act('copy', { pick, name, away: often(true) })), people('approve', 'repoint')),
  },
);

/** What it takes for something to go, with anything in between. */
const scene: fc.Arbitrary<readonly Step[]> = fc
  .record({
    plot,
    rounds: fc.tuple(
      fc.oneof(often(plainRound), running(round, roundCalls)),
      fc.oneof(often(plainRound), running(round, roundCalls)),
    ),
    before: fc.array(anyAct, { maxLength: 1 }),
    mood: fc.array(atTheRegistry, { maxLength: 1 }),
    reviews: fc.array(plainReview, { minLength: 1, maxLength: 2 }),
    undoing: fc.oneof(
      { weight: 4, arbitrary: often([]) },
      fc.tuple(act('restore', { pick }), plainReview),
      fc.tuple(
        act('override', { max: often(50), hours: often(30) }),
        act('second-eyes', { same: fc.boolean() }),
        plainReview,
      ),
    ),
  })
  .map(({ plot: [drift, decisions], rounds: [first, second], before, mood, reviews, undoing }) => {
    return [...drift, first, ...decisions, second, ...before, ...mood, ...reviews, ...undoing];
  });

/** A baseline round, then whatever happens. */
export const histories: fc.Arbitrary<History> = fc
  .record({
    start: beginning,
    parts: fc.array(
      fc.oneof(
        {
          weight: 7,
          arbitrary: step.map((one) => [one]),
        },
        { weight: 3, arbitrary: scene },
      ),
      { minLength: 3, maxLength: 9, size: 'max' },
    ),
  })
  .map(({ start, parts }) => ({ start, steps: [firstRound, ...parts.flat()] }));

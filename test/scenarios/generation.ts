import fc from 'fast-check';
import { hour, minute } from '../support/builders.ts';
import type { Act, Beginning, History, Interruption, PolicyChange, Run, Step } from './history.ts';

/*
 * Random histories. Weights make what matters happen often: rounds with absences, decisions about them, and the loop
 * right after. What a step picks is a number, so that shrinking keeps a history playable.
 */

const pick = fc.nat({ max: 40 });
const name = fc.nat({ max: 3 });
const elsewhere = fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.constant(true));
const often = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const act = <Do extends Act['do']>(
  does: Do,
  rest: { [Key in Exclude<keyof Extract<Act, { do: Do }>, 'do'>]: fc.Arbitrary<Extract<Act, { do: Do }>[Key]> },
) => fc.record({ do: often(does), ...rest }) as unknown as fc.Arbitrary<Act>;

const kind = fc.constantFrom('table', 'view', 'partitioned-table', 'other') satisfies fc.Arbitrary<string>;

const policyChange: fc.Arbitrary<PolicyChange> = fc.oneof(
  fc.record({ mode: fc.constantFrom('report-only', 'auto-remove') }),
  fc.record({ misses: fc.constantFrom(2, 3) }),
  fc.record({ graceHours: fc.constantFrom(0, 2) }),
  fc.record({ minimumAgeHours: fc.constantFrom(0, 1, 60) }),
  fc.record({ approveAttended: fc.boolean() }),
  fc.record({ approvalHours: fc.constantFrom(1, 168) }),
  fc.record({ minCount: fc.constantFrom(0, 3, 10), maxShare: fc.constantFrom(0.05, 0.5) }),
  fc.record({ perRound: fc.constantFrom(1, 3, 1_000), perDay: fc.constantFrom(2, 5_000) }),
  fc.record({ fourEyes: fc.boolean() }),
  fc.record({ exclude: fc.constantFrom<string[][]>([], ['s0/t0'], ['*/t1', '*/n*']) }),
  fc.record({ include: fc.constantFrom<string[][]>([], ['s0', 's0/**']) }),
  fc.record({ protect: fc.constantFrom<string[][]>([], ['s1'], ['*/t1']) }),
) as fc.Arbitrary<PolicyChange>;

const atTheSource = fc.oneof(
  { weight: 9, arbitrary: act('drop', { pick }) },
  { weight: 3, arbitrary: act('create', { pick, name, kind }) },
  { weight: 3, arbitrary: act('rename', { pick, name }) },
  { weight: 3, arbitrary: act('rename-onto', { pick, onto: pick }) },
  { weight: 4, arbitrary: act('recreate', { pick }) },
  { weight: 4, arbitrary: act('undrop', { pick, elsewhere }) },
  { weight: 2, arbitrary: act('replace', { pick, kind }) },
  { weight: 2, arbitrary: act('copy', { pick, name, away: fc.boolean() }) },
  { weight: 2, arbitrary: act('drop-around', { pick }) },
);

const between = fc.oneof(
  { weight: 3, arbitrary: act('outage', { with: fc.constantFrom('unreachable', 'denied', 'busy') }) },
  { weight: 3, arbitrary: act('deny', { pick }) },
  { weight: 2, arbitrary: act('hide', { pick }) },
  { weight: 4, arbitrary: act('lie', { pick }) },
  {
    weight: 3,
    arbitrary: act('proxy', { how: fc.constantFrom('all-absent', 'all-present', 'truncated', 'other-database') }),
  },
  { weight: 1, arbitrary: act('principal', { name: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: act('failover', { fingerprint: fc.constantFrom('same', 'other') }) },
  { weight: 14, arbitrary: act('clear-up', {}) },
);

const atTheRegistry = fc.oneof(
  { weight: 2, arbitrary: act('register', { pick, name }) },
  { weight: 2, arbitrary: act('unregister', { pick, recorded: fc.boolean() }) },
  { weight: 1, arbitrary: act('reregister', { pick }) },
  { weight: 3, arbitrary: act('attach', { pick, what: fc.constantFrom('owner', 'tag', 'comment') }) },
  {
    weight: 5,
    arbitrary: act('registry', {
      mood: fc.constantFrom(
        'refuses',
        'says-done',
        'says-refused',
        'loses',
        'does-it-without-answer',
        'late',
        'answers-unknown',
      ),
      lateMs: fc.constantFrom(1_000, 20_000, 44_000),
    }),
  },
  { weight: 1, arbitrary: act('miscount', { by: fc.constantFrom(-2, 1, 5) }) },
);

const decide = (action: fc.Arbitrary<Extract<Act, { do: 'decide' }>['action']>) =>
  act('decide', {
    pick,
    action,
    outdated: fc.oneof({ weight: 6, arbitrary: often(false) }, often(true)),
    keepHours: fc.constantFrom(0, 1, 5),
    twice: fc.oneof({ weight: 6, arbitrary: often(false) }, often(true)),
  });

const people = fc.oneof(
  { weight: 16, arbitrary: decide(often('approve')) },
  { weight: 4, arbitrary: decide(fc.constantFrom('reject', 'keep', 'accept')) },
  { weight: 4, arbitrary: decide(often('repoint')) },
  { weight: 3, arbitrary: act('override', { max: fc.constantFrom(1, 3, 50), hours: fc.constantFrom(1, 30) }) },
  { weight: 2, arbitrary: act('second-eyes', { same: fc.boolean() }) },
  { weight: 4, arbitrary: act('restore', { pick }) },
  { weight: 1, arbitrary: act('pause', {}) },
  { weight: 2, arbitrary: act('resume', {}) },
  { weight: 1, arbitrary: act('accept-source', {}) },
  { weight: 3, arbitrary: act('policy', { change: policyChange }) },
);

const clock = act('clock', { ms: fc.constantFrom(-2 * hour, 20_000, minute, 3 * hour, 30 * hour, 200 * hour) });

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: atTheSource },
  { weight: 5, arbitrary: between },
  { weight: 4, arbitrary: atTheRegistry },
  { weight: 8, arbitrary: people },
  { weight: 2, arbitrary: clock },
);

const catalog = fc.nat({ max: 1 });
const round: fc.Arbitrary<Run> = fc.record({
  do: often('round'),
  dry: fc.oneof({ weight: 9, arbitrary: often(false) }, often(true)),
  catalog,
});
const review: fc.Arbitrary<Run> = fc.record({ do: often('review'), steps: fc.constantFrom(1, 6, 20), catalog });

/** Calls of a round, and of the removal loop, around which something may happen. */
const roundCalls = [
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
const reviewCalls = [
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

const running = (what: fc.Arbitrary<Run>, calls: readonly string[]): fc.Arbitrary<Step> =>
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

/** What it takes for something to go, with anything in between. */
const scene: fc.Arbitrary<readonly Step[]> = fc
  .record({
    drift: fc.oneof(
      { weight: 6, arbitrary: fc.array(act('drop', { pick }), { minLength: 1, maxLength: 2 }) },
      { weight: 2, arbitrary: fc.tuple(act('rename', { pick, name })) },
      { weight: 1, arbitrary: fc.tuple(act('drop', { pick }), act('rename-onto', { pick, onto: pick })) },
      { weight: 1, arbitrary: fc.tuple(act('drop', { pick }), act('recreate', { pick })) },
      { weight: 1, arbitrary: fc.tuple(act('copy', { pick, name, away: often(true) })) },
    ),
    rounds: fc.tuple(
      fc.oneof(often(plainRound), running(round, roundCalls)),
      fc.oneof(often(plainRound), running(round, roundCalls)),
    ),
    decisions: fc.array(decide(fc.constantFrom('approve', 'approve', 'repoint', 'accept')), { maxLength: 3 }),
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
  .map(({ drift, rounds, decisions, before, mood, reviews, undoing }) => {
    const [first, second] = rounds;
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
        { weight: 2, arbitrary: scene },
      ),
      { minLength: 3, maxLength: 9, size: 'max' },
    ),
  })
  .map(({ start, parts }) => ({ start, steps: [firstRound, ...parts.flat()] }));

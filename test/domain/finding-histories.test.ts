import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveFinding, type JudgingRound, type Judged, type Standing } from '../../src/domain/finding.ts';
import { autoRemove, day, hour, judged, minute, t0, type VerdictName, verdicts } from '../support/builders.ts';
import { type NotedRound, type Told, tellFrom } from './absence-model.ts';

const verdictNames = Object.keys(verdicts) as VerdictName[];

/** Some round, of which absences and hours are the most likely, so that findings come of age. */
const anyRound = fc.record({
  gapMs: fc.oneof(
    { weight: 8, arbitrary: fc.constant(hour) },
    { weight: 4, arbitrary: fc.constantFrom(0, minute, 2 * hour, 5 * hour, day, 40 * day) },
  ),
  complete: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  verdict: fc.oneof(
    { weight: 24, arbitrary: fc.constant<VerdictName>('absent') },
    { weight: 2, arbitrary: fc.constant<VerdictName>('unknown') },
    { weight: 3, arbitrary: fc.constantFrom(...verdictNames) },
  ),
  newEpoch: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  intervalMs: fc.oneof({ weight: 4, arbitrary: fc.constant(hour) }, { weight: 1, arbitrary: fc.constant(day) }),
  knownControls: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  attended: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  auto: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  misses: fc.constantFrom(2, 2, 2, 3),
  graceMs: fc.constantFrom(0, hour, 2 * hour, 3 * hour, day),
  minimumAgeMs: fc.constantFrom(0, hour),
});

const anyHistory = fc
  .tuple(fc.array(anyRound, { minLength: 1, maxLength: 14 }), fc.constantFrom(0, 5_000, 365 * day))
  .map(([drawn, ageMs]) => {
    let at = t0;
    let epochs = 0;
    const rounds = drawn.map(({ gapMs, newEpoch, ...round }): NotedRound => {
      at += gapMs;
      if (newEpoch) epochs += 1;
      return { ...round, at, epoch: `e${epochs % 2}` };
    });
    return { rounds, createdAt: t0 - ageMs };
  });

function asJudged({ verdict, attended }: NotedRound, createdAt: number): Judged {
  return judged(verdict, { attended, createdAt });
}

function asJudging(rounds: readonly NotedRound[], number: number): JudgingRound {
  const { at, epoch, intervalMs, knownControls, auto, misses, graceMs, minimumAgeMs } = rounds[number] ?? fail();
  const mode = auto ? 'auto-remove' : 'report-only';
  return {
    seq: number + 1,
    now: at,
    epoch,
    intervalMs,
    afterComplete: rounds[number - 1]?.complete ?? true,
    knownControls,
    policy: autoRemove({ mode, misses, graceMs, minimumAgeMs }),
  };
}

function fail(): never {
  throw new RangeError('no such round');
}

/** The standing after each round; `undefined` while no finding is open. */
function replay(rounds: readonly NotedRound[], createdAt: number): readonly (Standing | undefined)[] {
  let current: Standing | undefined;
  return rounds.map((round, number) => {
    if (!round.complete) return current;
    const move = moveFinding(current, asJudged(round, createdAt), asJudging(rounds, number));
    if (move.move !== 'none') current = move.move === 'open' ? move.standing : undefined;
    return current;
  });
}

function asTold(after: Standing | undefined): Told {
  const { misses = 0, graceMs = 0, ripe = false, due = false } = after ?? {};
  return { open: after !== undefined, misses, graceMs, ripe, due };
}

describe('over any history of rounds', () => {
  test('a finding is where a naive reading of the whole history puts it', () => {
    const reached = { due: 0, ripe: 0, closed: 0 };
    fc.assert(
      fc.property(anyHistory, ({ rounds, createdAt }) => {
        const complete = [...rounds.keys()].filter((number) => rounds[number]?.complete);
        const standings = replay(rounds, createdAt);
        const seen = complete.map((number) => asTold(standings[number]));
        expect(seen).toEqual(complete.map((number) => tellFrom(rounds.slice(0, number + 1), createdAt)));
        reached.due += seen.filter(({ due }) => due).length;
        reached.ripe += seen.filter(({ ripe }) => ripe).length;
        reached.closed += seen.filter(({ open }) => !open).length;
      }),
      { numRuns: 300 },
    );
    // Otherwise nothing was shown.
    expect(reached.due).toBeGreaterThan(10);
    expect(reached.ripe).toBeGreaterThan(reached.due);
    expect(reached.closed).toBeGreaterThan(10);
  });

  test('B61 what was announced only ever moves later', () => {
    fc.assert(
      fc.property(anyHistory, ({ rounds, createdAt }) => {
        const standings = replay(rounds, createdAt);
        const earlier = standings.filter((after, index) => {
          const announced = standings[index - 1]?.dueAt;
          return after !== undefined && announced !== undefined && (after.dueAt ?? 0) < announced;
        });
        expect(earlier).toEqual([]);
      }),
    );
  });

  test('judging the same round of the same standing again gives the same, and changes neither', () => {
    fc.assert(
      fc.property(anyHistory, ({ rounds, createdAt }) => {
        const last = rounds.length - 1;
        const before = replay(rounds.slice(0, last), createdAt).at(-1);
        const copy = structuredClone(before);
        const move = () => moveFinding(before, asJudged(rounds[last] ?? fail(), createdAt), asJudging(rounds, last));
        expect(move()).toEqual(move());
        expect(before).toEqual(copy);
      }),
    );
  });
});

/** Any standing at all, those that no history leads to included. */
const anyStanding: fc.Arbitrary<Standing> = fc.record(
  {
    verdict: fc.constantFrom('absent', 'replaced', 'renamed', 'copied'),
    code: fc.constant('no-row'),
    misses: fc.nat(5),
    graceMs: fc.constantFrom(0, hour, 3 * day),
    epoch: fc.constantFrom('e0', 'e1', 'e1', 'e1'),
    absentSeq: fc.constantFrom(2, 5, 8, 9, 9, 9),
    absentAt: fc.constantFrom(0, t0 - day, t0 - hour),
    firstMissedAt: fc.constant(t0 - 2 * day),
    dueAt: fc.constantFrom(t0 - day, t0 - hour, t0, t0 + day),
    due: fc.boolean(),
    ripe: fc.boolean(),
    waits: fc.constant([]),
  },
  {
    requiredKeys: [
      'verdict',
      'code',
      'misses',
      'graceMs',
      'epoch',
      'absentSeq',
      'absentAt',
      'firstMissedAt',
      'due',
      'ripe',
      'waits',
    ],
  },
);

const anyJudging = anyRound.map((round) => asJudging([{ ...round, at: t0, epoch: 'e1' }], 0));
const anyBefore = fc.option(anyStanding, { nil: undefined, freq: 9 });

describe('from any standing', () => {
  const round = fc.tuple(anyBefore, anyJudging, fc.boolean()).map(([before, judging, attended]) => ({
    before,
    judging: { ...judging, seq: 10 },
    attended,
  }));

  test('only an absence can make a finding due, and only it or a taken rename can make it ripe', () => {
    let dueSeen = 0;
    fc.assert(
      fc.property(round, anyRound, ({ before, judging, attended }, { verdict }) => {
        const move = moveFinding(before, judged(verdict, { attended }), judging);
        if (move.move !== 'open') return;
        const { due, ripe } = move.standing;
        const announcedBefore = before?.dueAt !== undefined && before.dueAt <= judging.now;
        expect(!due || (ripe && verdict === 'absent' && announcedBefore)).toBe(true);
        expect(!ripe || verdict === 'absent' || verdict === 'renamedTaken').toBe(true);
        if (due) dueSeen += 1;
      }),
      { numRuns: 500 },
    );
    expect(dueSeen).toBeGreaterThan(0);
  });

  test('a present closes it', () => {
    fc.assert(
      fc.property(anyStanding, anyJudging, (before, judging) => {
        expect(moveFinding(before, judged('present'), judging)).toEqual({ move: 'close', why: 'present' });
      }),
    );
  });

  test('an unknown neither adds nor takes a miss or grace', () => {
    fc.assert(
      fc.property(anyStanding, anyJudging, (before, judging) => {
        const { misses, graceMs, epoch, absentSeq, absentAt } = before;
        expect(moveFinding(before, judged('unknown'), judging)).toMatchObject({
          move: 'open',
          standing: { misses, graceMs, epoch, absentSeq, absentAt },
        });
      }),
    );
  });

  test('one round adds one miss and two intervals of grace at the most', () => {
    fc.assert(
      fc.property(round, ({ before, judging }) => {
        const move = moveFinding(before, judged('absent'), judging);
        if (move.move !== 'open') throw new Error('an absence leaves the finding open');
        expect(move.standing.misses).toBeLessThanOrEqual((before?.misses ?? 0) + 1);
        expect(move.standing.graceMs).toBeLessThanOrEqual((before?.graceMs ?? 0) + 2 * judging.intervalMs);
      }),
    );
  });
});

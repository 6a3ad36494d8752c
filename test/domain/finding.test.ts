import { describe, expect, test } from 'vitest';
import { moveFinding, type Standing, withContents } from '../../src/domain/finding.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { autoRemove, day, hour, judged, judgingRound, standing, t0, type VerdictName } from '../support/builders.ts';
import { moved } from './moved.ts';

/** As {@link standing}, with everything met that a removal needs, once this round finds it absent again. */
const nearlyDue = standing({ misses: 5, graceMs: 2 * day, dueAt: t0 - hour });

describe('an absent object', () => {
  test('opens a finding with one miss and no grace', () => {
    expect(moved(undefined, judged('absent'), judgingRound())).toEqual({
      verdict: 'absent',
      code: 'no-row',
      misses: 1,
      graceMs: 0,
      epoch: 'e1',
      absentSeq: 2,
      absentAt: t0,
      firstMissedAt: t0,
      dueAt: t0 + day,
      due: false,
      ripe: false,
      waits: ['misses', 'grace', 'announced'],
    });
  });

  test('adds a miss and the gap when the round before was complete and absent too', () => {
    expect(moved(standing(), judged('absent'), judgingRound())).toEqual({
      ...standing(),
      misses: 2,
      graceMs: hour,
      absentSeq: 2,
      absentAt: t0,
      dueAt: t0 - hour + day,
      ripe: true,
      waits: ['grace', 'announced'],
    });
  });

  test('takes the code of the newest answer', () => {
    const what = { ...judged('absent'), verdict: { kind: 'absent', code: 'parent-absent' } as const };
    expect(moved(standing(), what, judgingRound()).code).toBe('parent-absent');
  });

  test.each([
    ['a gap as scheduled', 1, 1],
    ['a gap of two intervals', 2, 2],
    ['a gap just beyond two intervals', 2.5, 2],
    ['B62 a clock that leapt 40 days', 40 * 24, 2],
    ['a clock that went back', -3, 0],
  ])('counts as grace what was watched: %s', (_name, gapHours, graceHours) => {
    const before = standing({ graceMs: 5 * hour, absentAt: t0 - gapHours * hour });
    expect(moved(before, judged('absent'), judgingRound())).toMatchObject({
      misses: 2,
      graceMs: (5 + graceHours) * hour,
    });
  });

  test.each([
    ['the round before', 1, { misses: 5, graceMs: 4 * hour }],
    ['a round with one unclear round between', 2, { misses: 5, graceMs: 3 * hour }],
    ['a round with two unclear rounds between', 3, { misses: 5, graceMs: 3 * hour }],
    ['a round with three unclear rounds between', 4, { misses: 5, graceMs: 3 * hour }],
    ['a round with four unclear rounds between', 5, { misses: 1, graceMs: 0 }],
    ['a round long ago', 500, { misses: 1, graceMs: 0 }],
  ])('was absent last in %s', (_name, roundsAgo, expected) => {
    const before = standing({ misses: 4, graceMs: 3 * hour, absentSeq: 1_000 });
    expect(moved(before, judged('absent'), judgingRound({ seq: 1_000 + roundsAgo }))).toMatchObject(expected);
  });

  test('begins anew in a new epoch and keeps when it was first missed', () => {
    const before = standing({ misses: 9, graceMs: 9 * day, epoch: 'e0', firstMissedAt: t0 - 9 * day });
    expect(moved(before, judged('absent'), judgingRound())).toMatchObject({
      misses: 1,
      graceMs: 0,
      epoch: 'e1',
      firstMissedAt: t0 - 9 * day,
      due: false,
      ripe: false,
    });
  });

  test('B08 a miss under one role and a miss under another are not two', () => {
    const underA = moved(undefined, judged('absent'), judgingRound({ seq: 1, now: t0 - hour, epoch: 'role A' }));
    expect(moved(underA, judged('absent'), judgingRound({ epoch: 'role B' }))).toMatchObject({ misses: 1, graceMs: 0 });
  });

  test('B16 one not-found right after an install makes no candidate, and a present clears it', () => {
    const installed = judged('absent', { createdAt: t0 - 5_000 });
    const missed = moved(undefined, installed, judgingRound());
    expect(missed).toMatchObject({ misses: 1, due: false, ripe: false });
    expect(missed.waits).toEqual(expect.arrayContaining(['misses', 'minimum-age']));
    expect(moveFinding(missed, judged('present'), judgingRound({ seq: 3 }))).toEqual({ move: 'close', why: 'present' });
  });

  test.each([
    ['a person may approve', judgingRound(), judged('absent'), { ripe: true, due: true, waits: [] }],
    [
      'too few misses bar everybody',
      judgingRound({ policy: autoRemove({ misses: 7 }) }),
      judged('absent'),
      { ripe: false, due: false, waits: ['misses', 'announced'] },
    ],
    [
      'a registration just too young bars everybody',
      judgingRound(),
      judged('absent', { createdAt: t0 - hour + 1 }),
      { ripe: false, due: false, waits: ['minimum-age', 'announced'] },
    ],
    [
      'a registration of the minimum age may go',
      judgingRound(),
      judged('absent', { createdAt: t0 - hour }),
      { ripe: true, due: true, waits: [] },
    ],
    [
      'a registration from the future is too young',
      judgingRound(),
      judged('absent', { createdAt: t0 + 30 * day }),
      { ripe: false, due: false },
    ],
    [
      'a registration of unknown age is too young',
      judgingRound(),
      judged('absent', { createdAt: Number.NaN }),
      { ripe: false, due: false },
    ],
    [
      'no known control bars everybody',
      judgingRound({ knownControls: false }),
      judged('absent'),
      { ripe: false, due: false, waits: ['no-controls'] },
    ],
    [
      'too little grace bars the policy, not a person',
      judgingRound({ policy: autoRemove({ graceMs: 3 * day }) }),
      judged('absent'),
      { ripe: true, due: false, waits: ['grace', 'announced'] },
    ],
    [
      'report-only waits for a person',
      judgingRound({ policy: defaultPolicy }),
      judged('absent'),
      { ripe: true, due: false, waits: ['report-only'] },
    ],
    [
      'a kind that is report-only waits for a person',
      judgingRound({ policy: autoRemove({ modeByKind: { table: 'report-only' } }) }),
      judged('absent'),
      { ripe: true, due: false, waits: ['report-only'] },
    ],
    [
      'a kind of its own under auto-remove goes',
      judgingRound({ policy: { ...defaultPolicy, modeByKind: { table: 'auto-remove' } } }),
      judged('absent'),
      { ripe: true, due: true, waits: [] },
    ],
    [
      'what has an owner waits for a person',
      judgingRound(),
      judged('absent', { attended: true }),
      { ripe: true, due: false, waits: ['needs-approval'] },
    ],
    [
      'what has an owner goes where the policy does not mind',
      judgingRound({ policy: autoRemove({ approveAttended: false }) }),
      judged('absent', { attended: true }),
      { ripe: true, due: true, waits: [] },
    ],
  ])('with misses and grace behind it: %s', (_name, round, what, expected) => {
    expect(moved(nearlyDue, what, round)).toMatchObject(expected);
  });

  test('after an incomplete round adds a miss, no grace, and nothing is due or ripe', () => {
    const round = judgingRound({ seq: 3, afterComplete: false });
    expect(moved(nearlyDue, judged('absent'), round)).toMatchObject({
      misses: 6,
      graceMs: 2 * day,
      due: false,
      ripe: false,
      waits: ['after-incomplete-round'],
    });
  });
});

describe('an unclear round', () => {
  test.each<[string, VerdictName, string]>([
    ['unknown', 'unknown', 'unknown-now'],
    ['B20 filtered out', 'notJudged', 'not-judged'],
  ])('freezes a finding and makes nothing due: %s', (_name, verdict, wait) => {
    const before = { ...nearlyDue, due: true, ripe: true, waits: [] };
    const round = judgingRound({ epoch: 'e2', now: t0 + 400 * day });
    expect(moveFinding(before, judged(verdict), round)).toEqual({
      move: 'open',
      standing: { ...before, due: false, ripe: false, waits: [wait] },
    });
  });

  test.each<VerdictName>(['unknown', 'notJudged', 'present'])('opens no finding: %s', (verdict) => {
    expect(moveFinding(undefined, judged(verdict), judgingRound())).toEqual({ move: 'none' });
  });

  test('B20 a narrower scope and back begins anew, since the scope is part of the epoch', () => {
    const all = moved(undefined, judged('absent'), judgingRound({ seq: 1, epoch: 'scope *' }));
    const narrow = moved(all, judged('notJudged'), judgingRound({ seq: 2, epoch: 'scope sales' }));
    expect(narrow).toMatchObject({ misses: 1, graceMs: 0, epoch: 'scope *' });
    const other = moved(narrow, judged('absent'), judgingRound({ seq: 3, epoch: 'scope * but tmp' }));
    expect(other).toMatchObject({ misses: 1, graceMs: 0, epoch: 'scope * but tmp' });
  });
});

describe('an object that is elsewhere', () => {
  const before = standing({ misses: 7, graceMs: 7 * day, firstMissedAt: t0 - 7 * day, dueAt: t0 + day });

  test.each<[VerdictName, Standing['verdict'], boolean]>([
    ['replaced', 'replaced', false],
    ['renamed', 'renamed', false],
    ['copied', 'copied', false],
    ['renamedTaken', 'renamed', true],
  ])('%s starts the count anew, keeps what was announced, and only a person may act: %s, %s', (name, verdict, ripe) => {
    expect(moved(before, judged(name), judgingRound())).toMatchObject({
      verdict,
      misses: 0,
      graceMs: 0,
      epoch: 'e1',
      firstMissedAt: t0 - 7 * day,
      dueAt: t0 + day,
      due: false,
      ripe,
      waits: ['verdict'],
    });
  });

  test.each<VerdictName>(['replaced', 'renamed', 'renamedTaken', 'copied'])(
    '%s opens a finding without a miss, and the next absence is the first',
    (name) => {
      const opened = moved(undefined, judged(name), judgingRound({ seq: 1, now: t0 - hour }));
      expect(opened).toMatchObject({ misses: 0, graceMs: 0, firstMissedAt: t0 - hour });
      expect(opened.dueAt).toBeUndefined();
      expect(moved(opened, judged('absent'), judgingRound())).toMatchObject({ misses: 1, graceMs: 0, ripe: false });
    },
  );

  test.each([
    ['minimum-age', judgingRound(), judged('renamedTaken', { createdAt: t0 - hour + 1 })],
    ['after-incomplete-round', judgingRound({ afterComplete: false }), judged('renamedTaken')],
    ['no-controls', judgingRound({ knownControls: false }), judged('renamedTaken')],
  ])('renamed onto a registered name: an approval does not waive %s', (wait, round, what) => {
    expect(moved(before, what, round)).toMatchObject({ ripe: false, due: false, waits: ['verdict', wait] });
  });
});

describe('a present object', () => {
  test.each<[string, Standing]>([
    ['one miss', standing()],
    ['due', { ...nearlyDue, due: true, ripe: true, waits: [] }],
    ['renamed', standing({ verdict: 'renamed', misses: 0 })],
    ['of another epoch', standing({ epoch: 'e0' })],
  ])('closes its finding: %s', (_name, before) => {
    const round = judgingRound({ afterComplete: false, knownControls: false });
    expect(moveFinding(before, judged('present'), round)).toEqual({ move: 'close', why: 'present' });
  });
});

describe('B68 a registration that was removed before and came back', () => {
  const ripeRound = judgingRound({ policy: autoRemove({ graceMs: 0 }) });

  test('is never due by itself, and a person may approve it', () => {
    const again = moved(standing({ dueAt: t0 - hour }), judged('absent', { returned: true }), ripeRound);
    expect(again).toMatchObject({ ripe: true, due: false, waits: ['returned'] });
    expect(moved(standing({ dueAt: t0 - hour }), judged('absent'), ripeRound)).toMatchObject({ due: true, waits: [] });
  });

  test.each([
    ['nothing of it', { attended: false, returned: false }, {}, []],
    ['something that came back', { attended: false, returned: true }, {}, ['returned']],
    ['something with an owner', { attended: true, returned: false }, {}, ['needs-approval']],
    ['both', { attended: true, returned: true }, {}, ['needs-approval', 'returned']],
    ['an owner that nobody is asked for', { attended: true, returned: false }, { approveAttended: false }, []],
    ['an owner where a person is asked anyway', { attended: true, returned: false }, { mode: 'report-only' }, []],
  ] as const)('keeps its container waiting for a person: %s', (_name, inside, policy, waits) => {
    const due = standing({ due: true, ripe: true, waits: [] });
    expect(withContents(due, 'schema', inside, autoRemove(policy))).toEqual({
      ...due,
      due: waits.length === 0,
      waits,
    });
  });

  test('is told once, though the container came back as well', () => {
    const both = standing({ waits: ['returned'] });
    expect(withContents(both, 'schema', { attended: false, returned: true }, autoRemove())).toEqual(both);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  outcomeRules,
  type RemovalBar,
  removalBar,
  repointBar,
  type RemovalContext,
  type RemovalOutcome,
  tooManyPresents,
} from '../../src/domain/removal.ts';

const free: RemovalContext = {
  catalogState: 'ok',
  hold: [],
  admitted: false,
  paused: false,
  stopped: false,
  roundProbing: false,
  exclusive: false,
  mode: 'report-only',
  kept: false,
  finding: {
    open: true,
    judgedByPublished: true,
    absent: true,
    movable: false,
    ripe: true,
    due: false,
    blocked: false,
    carried: false,
  },
  approved: true,
  rejected: false,
  limit: undefined,
};

type Finding = RemovalContext['finding'];
type Circumstances = Partial<Omit<RemovalContext, 'finding'>>;

function context(over: Circumstances, finding: Partial<Finding> = {}): RemovalContext {
  return { ...free, ...over, finding: { ...free.finding, ...finding } };
}

/** What each bar is made of, the gravest first. */
const bars: readonly (readonly [RemovalBar, Circumstances, Partial<Finding>])[] = [
  ['paused', { paused: true }, {}],
  ['stopped', { stopped: true }, {}],
  ['catalog-not-ok', { catalogState: 'unreachable' }, {}],
  ['held', { hold: ['all-absent'] }, {}],
  ['round-running', { exclusive: true, roundProbing: true }, {}],
  ['closed', {}, { open: false }],
  ['kept', { kept: true }, {}],
  ['rejected', { rejected: true }, {}],
  ['not-absent', {}, { absent: false }],
  ['judged-by-older-round', {}, { judgedByPublished: false }],
  ['container-first', {}, { carried: true }],
  ['blocked-inside', {}, { blocked: true }],
  ['not-ripe', {}, { ripe: false }],
];

/** Asked last, when everything else lets it go. */
const limits = ['round-limit', 'day-limit'] as const;
describe('a re-pointing', () => {
  const moved = (over: Circumstances, finding: Partial<Finding> = {}) =>
    repointBar(context(over, { absent: false, movable: true, ripe: false, ...finding }));

  test('goes on when a person decided it, though the round is held or the registration kept', () => {
    expect(moved({})).toBeUndefined();
    expect(moved({ hold: ['all-absent'], kept: true })).toBeUndefined();
  });

  test.each<[RemovalBar, Circumstances, Partial<Finding>]>([
    ['paused', { paused: true }, {}],
    ['stopped', { stopped: true }, {}],
    ['catalog-not-ok', { catalogState: 'incomplete' }, {}],
    ['round-running', { exclusive: true, roundProbing: true }, {}],
    ['closed', {}, { open: false }],
    ['not-renamed', {}, { movable: false }],
    ['judged-by-older-round', {}, { judgedByPublished: false }],
    ['not-approved', { approved: false }, {}],
    ['not-approved', { approved: false, mode: 'auto-remove' }, { due: true }],
  ])('is barred: %s', (bar, over, finding) => {
    expect(moved(over, finding)).toBe(bar);
  });
});

describe('a removal', () => {
  test('goes on when a person approved it and nothing bars it', () => {
    expect(removalBar(free)).toBeUndefined();
  });

  test.each(bars)('is barred though approved: %s', (bar, over, finding) => {
    expect(removalBar(context(over, finding))).toBe(bar);
  });

  test.each(bars)('is barred though due: %s', (bar, over, finding) => {
    expect(removalBar(context({ mode: 'auto-remove', approved: false, ...over }, { due: true, ...finding }))).toBe(bar);
  });

  test.each(limits)('waits for the %s, approved or due', (limit) => {
    expect(removalBar(context({ limit }))).toBe(limit);
    expect(removalBar(context({ limit, mode: 'auto-remove', approved: false }, { due: true }))).toBe(limit);
    expect(removalBar(context({ limit, approved: false }))).toBe('not-approved');
  });

  test('names the gravest of several bars', () => {
    const named = bars.map((_bar, first) => {
      const rest = bars.slice(first);
      const over: Circumstances = Object.assign({ approved: false }, ...rest.map(([, part]) => part));
      const finding: Partial<Finding> = Object.assign({}, ...rest.map(([, , part]) => part));
      return removalBar(context(over, finding));
    });
    expect(named).toEqual(bars.map(([bar]) => bar));
  });

  test.each<RemovalContext['catalogState']>(['unreachable', 'incomplete', 'failed', 'source-changed', 'never-scanned'])(
    'waits while the catalog is %s',
    (catalogState) => {
      expect(removalBar(context({ catalogState }))).toBe('catalog-not-ok');
    },
  );

  test('B53 goes on in a held round where an override admits it', () => {
    expect(removalBar(context({ hold: ['too-many-absent', 'new-epoch'], admitted: true }))).toBeUndefined();
  });

  test.each([
    ['nobody minds', { exclusive: false, roundProbing: true }, undefined],
    ['the registry minds', { exclusive: true, roundProbing: true }, 'round-running'],
    ['none does', { exclusive: true, roundProbing: false }, undefined],
  ] as const)('while a round probes: %s', (_name, over, bar) => {
    expect(removalBar(context(over))).toBe(bar);
  });

  test.each([
    ['B07 report-only and no approval', 'report-only', false, false, 'not-approved'],
    ['B07 report-only, due in an earlier policy, and no approval', 'report-only', true, false, 'not-approved'],
    ['auto-remove before it is due', 'auto-remove', false, false, 'not-approved'],
    ['auto-remove once it is due', 'auto-remove', true, false, undefined],
    ['auto-remove before it is due, approved', 'auto-remove', false, true, undefined],
    ['report-only, approved', 'report-only', false, true, undefined],
  ] as const)('who may ask for it: %s', (_name, mode, due, approved, bar) => {
    expect(removalBar(context({ mode, approved }, { due }))).toBe(bar);
  });
});

describe('what an outcome means', () => {
  const outcomes = Object.keys(outcomeRules) as RemovalOutcome[];
  const which = (holds: (rule: (typeof outcomeRules)[RemovalOutcome]) => boolean) =>
    outcomes.filter((outcome) => holds(outcomeRules[outcome]));

  test('only a registration that is gone or has its new name closes its finding and uses up the decision', () => {
    expect(which(({ finding: after }) => after === 'closed')).toEqual(['removed', 'repointed', 'already-gone']);
    expect(which(({ decision }) => decision === 'consumed')).toEqual(['removed', 'repointed', 'already-gone']);
  });

  test('whatever contradicts the evidence voids the decision', () => {
    expect(which(({ decision }) => decision === 'void')).toEqual([
      'present',
      'changed',
      'replaced',
      'renamed',
      'refused',
    ]);
  });

  test('whatever nobody can tell stops the catalog', () => {
    expect(which(({ stops }) => stops)).toEqual(['source-unreachable', 'unknown']);
  });

  test('only what never began is tried again before another round', () => {
    expect(which(({ again }) => again)).toEqual(['not-permitted', 'abandoned']);
  });

  test('nothing is tried again on a decision that is void or used up', () => {
    expect(which(({ again, decision }) => again && decision !== 'kept')).toEqual([]);
  });
});

describe('presents that stop the removals', () => {
  const latest = (presents: readonly number[], length = 40) =>
    Array.from({ length }, (_unused, index): RemovalOutcome => (presents.includes(index) ? 'present' : 'removed'));

  test.each([
    ['none so far', [], 0, false],
    ['two of twenty', [0, 19], 40, false],
    ['three of twenty', [0, 7, 19], 40, true],
    ['the third too long ago', [0, 7, 20], 40, false],
    ['three in the first three', [0, 1, 2], 3, true],
    ['all of them', [...Array(40).keys()], 40, true],
  ])('%s', (_name, presents, length, stops) => {
    expect(tooManyPresents(latest(presents, length))).toBe(stops);
  });

  test('other outcomes never stop them this way', () => {
    const others = (Object.keys(outcomeRules) as RemovalOutcome[]).filter((outcome) => outcome !== 'present');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...others), { maxLength: 40 }), (outcomes) => {
        expect(tooManyPresents(outcomes)).toBe(false);
      }),
    );
  });
});

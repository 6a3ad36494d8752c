import { describe, expect, test } from 'vitest';
import {
  type DecisionAction,
  type DecisionContext,
  type DecisionRequest,
  decisionRefusal,
  type RefusalReason,
} from '../../src/domain/decision.ts';
import type { Standing } from '../../src/domain/finding.ts';
import { minute, t0 } from '../support/builders.ts';

type Finding = NonNullable<DecisionContext['finding']>;

function context(finding: Partial<Finding> = {}, over: Partial<DecisionContext> = {}): DecisionContext {
  return {
    finding: { state: 'open', digest: 'seen', standing: { verdict: 'absent' }, renamedTaken: false, ...finding },
    intentOpen: false,
    canRepoint: true,
    now: t0,
    notAfter: t0 + minute,
    ...over,
  };
}

function request(action: DecisionAction, over: Partial<DecisionRequest> = {}): DecisionRequest {
  return { findingId: 'f1', digest: 'seen', action, ...over };
}

const actions: readonly DecisionAction[] = ['approve', 'reject', 'keep', 'accept', 'repoint'];

describe('whatever is decided', () => {
  test.each<[RefusalReason, DecisionContext, RegExp]>([
    ['no-such-finding', { ...context(), finding: undefined }, /list .* again/i],
    ['too-late', context({}, { notAfter: t0 - 1 }), /send it again/i],
    ['closed', context({ state: 'closed' }), /nothing is left to decide/i],
    ['changed', context({ digest: 'other' }), /decide anew/i],
    ['removal-running', context({}, { intentOpen: true }), /wait for the outcome/i],
  ])('%s refuses every action and says what to do', (reason, given, hint) => {
    for (const action of actions) {
      expect(decisionRefusal(request(action), given)).toEqual({ reason, hint: expect.stringMatching(hint) });
    }
  });

  test('the last moment is not too late', () => {
    expect(decisionRefusal(request('reject'), context({}, { notAfter: t0 }))).toBeUndefined();
  });

  test('the reason that a person can do least about is told first', () => {
    const obstacles: readonly (readonly [RefusalReason, Partial<DecisionContext>, Partial<Finding>])[] = [
      ['too-late', { notAfter: t0 - 1 }, {}],
      ['closed', {}, { state: 'closed' }],
      ['changed', {}, { digest: 'other' }],
      ['removal-running', { intentOpen: true }, {}],
      ['approve-container', {}, { carrier: 'sales' }],
      ['copied', {}, { standing: { verdict: 'copied' } }],
    ];
    const told = obstacles.map((_obstacle, first) => {
      const rest = obstacles.slice(first);
      const over: Partial<DecisionContext> = Object.assign({}, ...rest.map(([, part]) => part));
      const finding: Partial<Finding> = Object.assign({}, ...rest.map(([, , part]) => part));
      return decisionRefusal(request('approve'), context(finding, over))?.reason;
    });
    expect(told).toEqual(obstacles.map(([reason]) => reason));
  });
});

describe('an approval', () => {
  test.each<[string, Partial<Finding>, RefusalReason | undefined, RegExp | undefined]>([
    ['absent', {}, undefined, undefined],
    ['renamed', { standing: { verdict: 'renamed' } }, 'renamed', /re-point/i],
    ['renamed onto a registered name', { standing: { verdict: 'renamed' }, renamedTaken: true }, undefined, undefined],
    ['replaced', { standing: { verdict: 'replaced' } }, 'replaced', /accept it/i],
    [
      'replaced, once renamed onto a registered name',
      { standing: { verdict: 'replaced' }, renamedTaken: true },
      'replaced',
      /accept it/i,
    ],
    ['copied', { standing: { verdict: 'copied' } }, 'copied', /at the source/i],
    [
      'copied, once renamed onto a registered name',
      { standing: { verdict: 'copied' }, renamedTaken: true },
      'copied',
      /at the source/i,
    ],
    ['inside an absent container', { carrier: 'sales' }, 'approve-container', /approve sales,/i],
  ])('of what is %s', (_name, finding, reason, hint) => {
    const refusal = decisionRefusal(request('approve'), context(finding));
    expect(refusal?.reason).toBe(reason);
    if (hint !== undefined) expect(refusal?.hint).toMatch(hint);
  });
});

test('an approval of what a standing keep covers is refused, and nothing else is', () => {
  const covered = context({}, { keptBy: 'k1' });
  expect(decisionRefusal(request('approve'), covered)).toEqual({
    reason: 'kept',
    hint: expect.stringMatching(/k1.*unkeep/),
  });
  for (const action of ['reject', 'keep'] as const) expect(decisionRefusal(request(action), covered)).toBeUndefined();
});

test('an approval of a verdict that nobody thought of is an error, not a yes', () => {
  const standing = { verdict: 'probably-gone' as never };
  expect(() => decisionRefusal(request('approve'), context({ standing }))).toThrow(/probably-gone/);
});

describe('an acceptance of the new object', () => {
  test.each<[Standing['verdict'], RefusalReason | undefined]>([
    ['replaced', undefined],
    ['absent', 'nothing-to-accept'],
    ['renamed', 'nothing-to-accept'],
    ['copied', 'nothing-to-accept'],
  ])('of what is %s', (verdict, reason) => {
    expect(decisionRefusal(request('accept'), context({ standing: { verdict } }))?.reason).toBe(reason);
  });
});

describe('a re-pointing', () => {
  const moved: Partial<Finding> = { standing: { verdict: 'renamed' }, movedTo: ['sales', 'new'] };

  test('B37 is accepted of what lives under one other name that is not registered', () => {
    expect(decisionRefusal(request('repoint'), context(moved))).toBeUndefined();
  });

  test.each<[string, Partial<Finding>, Partial<DecisionContext>, RefusalReason, RegExp]>([
    ['absent', {}, {}, 'nothing-to-repoint', /under another name/],
    ['replaced', { standing: { verdict: 'replaced' } }, {}, 'nothing-to-repoint', /under another name/],
    ['copied', { standing: { verdict: 'copied' } }, {}, 'nothing-to-repoint', /under another name/],
    [
      'renamed onto a registered name',
      { ...moved, renamedTaken: true },
      {},
      'nothing-to-repoint',
      /sales\/new is registered already\. Approve/,
    ],
    ['in a registry that cannot', moved, { canRepoint: false }, 'cannot-repoint', /cannot rename/],
  ])('of what is %s is refused', (_name, finding, over, reason, hint) => {
    const refusal = decisionRefusal(request('repoint'), context(finding, over));
    expect(refusal).toEqual({ reason, hint: expect.stringMatching(hint) });
  });
});

describe('what holds a registration back', () => {
  test.each<[DecisionAction, Partial<DecisionRequest>]>([
    ['reject', {}],
    ['keep', {}],
    ['keep', { keepUntil: t0 + 1 }],
  ])('is taken of every finding, inside a container too: %s %o', (action, over) => {
    for (const verdict of ['absent', 'renamed', 'replaced', 'copied'] as const) {
      expect(
        decisionRefusal(request(action, over), context({ standing: { verdict }, carrier: 'sales' })),
      ).toBeUndefined();
    }
  });

  test.each([
    ['now', t0],
    ['before', t0 - 1],
  ])('is refused where it would have ended already: %s', (_name, keepUntil) => {
    expect(decisionRefusal(request('keep', { keepUntil }), context())).toEqual({
      reason: 'keep-in-the-past',
      hint: expect.stringMatching(/in the future/),
    });
  });
});

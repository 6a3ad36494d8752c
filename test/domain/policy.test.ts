import { describe, expect, test } from 'vitest';
import {
  completePolicy,
  defaultPolicy,
  isLaxer,
  isStricter,
  modeFor,
  type Policy,
  scopeOf,
} from '../../src/domain/policy.ts';
import { day, hour } from '../support/builders.ts';

describe('the default policy', () => {
  test('B59 removes nothing by itself, and its numbers are the documented ones', () => {
    expect(defaultPolicy).toMatchObject({ mode: 'report-only', modeByKind: {}, misses: 2, graceMs: day });
    expect(defaultPolicy).toMatchObject({ minimumAgeMs: hour, approveAttended: true });
    expect(defaultPolicy.guard).toMatchObject({ maxShare: 0.05, minCount: 10 });
  });
});

describe('a stored policy', () => {
  test('has the default of whatever it does not know yet', () => {
    const { guard: _unknown, ...stored } = { ...defaultPolicy, graceMs: 0 };
    expect(completePolicy(stored)).toEqual({ ...defaultPolicy, graceMs: 0 });
    const { maxShrink: _later, ...guard } = { ...defaultPolicy.guard, minCount: 3 };
    const fromBefore = JSON.parse(JSON.stringify({ guard })) as Partial<Policy>;
    expect(completePolicy(fromBefore).guard).toEqual({ ...defaultPolicy.guard, minCount: 3 });
  });

  test('B16 never lets one miss be enough', () => {
    expect(completePolicy({ misses: 1 }).misses).toBe(2);
    expect(completePolicy({ misses: 3 }).misses).toBe(3);
  });
});

describe('the mode of a kind', () => {
  test('is the policy’s own unless the kind has one', () => {
    const policy: Policy = { ...defaultPolicy, mode: 'auto-remove', modeByKind: { schema: 'report-only' } };
    expect(modeFor(policy, 'schema')).toBe('report-only');
    expect(modeFor(policy, 'table')).toBe('auto-remove');
    expect(modeFor({ ...defaultPolicy, modeByKind: { table: 'auto-remove' } }, 'table')).toBe('auto-remove');
  });
});

describe('a policy is stricter', () => {
  const base: Policy = {
    ...defaultPolicy,
    misses: 3,
    include: ['sales/**'],
    exclude: ['tmp', 'old'],
    protect: ['public', 'hr'],
  };

  test.each<[string, Partial<Policy>]>([
    ['more misses', { misses: 4 }],
    ['a higher minimum age', { minimumAgeMs: base.minimumAgeMs + 1 }],
    ['an approval by a second person', { fourEyes: true }],
    ['one more exclude pattern', { exclude: ['tmp', 'old', 'new'] }],
    ['another exclude pattern in place of one', { exclude: ['tmp', 'new'] }],
    ['one more protect pattern', { protect: ['hr', 'public', 'law'] }],
    ['another protect pattern in place of one', { protect: ['law'] }],
    ['another include pattern', { include: ['law/**'] }],
  ])('with %s', (_name, over) => {
    expect(isStricter(base, { ...base, ...over })).toBe(true);
  });

  test('with a first include pattern', () => {
    expect(isStricter({ ...base, include: [] }, base)).toBe(true);
  });

  test.each<[string, Partial<Policy>]>([
    ['nothing changed', {}],
    ['fewer misses', { misses: 2 }],
    ['a lower minimum age', { minimumAgeMs: 0 }],
    ['fewer patterns', { exclude: [], protect: ['hr'] }],
    ['the same patterns in another order', { exclude: ['old', 'tmp'], protect: ['hr', 'public'] }],
    ['everything included', { include: [] }],
    ['another grace, which an approval waives', { graceMs: 30 * day }],
    ['another mode or pace', { mode: 'auto-remove', removalsPerSecond: 0.001 }],
  ])('not with %s', (_name, over) => {
    expect(isStricter(base, { ...base, ...over })).toBe(false);
  });
});

describe('B55 a policy is laxer', () => {
  const base: Policy = { ...defaultPolicy, misses: 3, modeByKind: { view: 'auto-remove' } };
  const guard = (over: Partial<Policy['guard']>): Partial<Policy> => ({ guard: { ...base.guard, ...over } });

  test.each<[string, Partial<Policy>]>([
    ['a higher share', guard({ maxShare: base.guard.maxShare + 0.01 })],
    ['a higher floor', guard({ minCount: base.guard.minCount + 1 })],
    ['less that must be probed', guard({ minProbedShare: base.guard.minProbedShare - 0.01 })],
    ['more that may vanish', guard({ maxShrink: base.guard.maxShrink + 0.01 })],
    ['fewer misses', { misses: 2 }],
    ['a shorter grace', { graceMs: base.graceMs - 1 }],
    ['a lower minimum age', { minimumAgeMs: base.minimumAgeMs - 1 }],
    ['nobody asked about attended ones', { approveAttended: false }],
    ['removal by itself', { mode: 'auto-remove' }],
    ['removal by itself of one kind', { modeByKind: { view: 'auto-remove', table: 'auto-remove' } }],
    ['removal by itself of what one kind said nothing about', { mode: 'auto-remove', modeByKind: {} }],
    ['one thing laxer and others stricter', { misses: 9, graceMs: 0 }],
  ])('with %s', (_name, over) => {
    expect(isLaxer(base, { ...base, ...over })).toBe(true);
    expect(isLaxer({ ...base, ...over }, { ...base, ...over })).toBe(false);
  });

  test.each<[string, Partial<Policy>]>([
    ['nothing changed', {}],
    ['more of everything', { misses: 9, graceMs: 9 * day, minimumAgeMs: day, ...guard({ maxShare: 0, minCount: 0 }) }],
    ['less removed by itself', { modeByKind: {} }],
    ['the same modes in other words', { modeByKind: { view: 'auto-remove', table: 'report-only' } }],
    ['another pace, limit or life of approvals', { removalsPerSecond: 9, removalsPerDay: 9_999, approvalTtlMs: day }],
    ['another scope, which starts an epoch', { exclude: ['tmp'], include: ['sales'], protect: [] }],
  ])('not with %s', (_name, over) => {
    expect(isLaxer(base, { ...base, ...over })).toBe(false);
  });
});

describe('the scope', () => {
  test('is what decides where we look, and nothing else', () => {
    const policy: Policy = { ...defaultPolicy, include: ['a'], exclude: ['b'], protect: ['c'], misses: 9 };
    expect(scopeOf(policy)).toEqual({ include: ['a'], exclude: ['b'] });
  });
});

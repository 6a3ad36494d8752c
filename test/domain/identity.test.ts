import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settleMoved, settleParentAbsent, verdictOf } from '../../src/domain/identity.ts';
import type { Path } from '../../src/domain/path.ts';
import type { EntityKind, ObjectKind } from '../../src/domain/registration.ts';
import type { Located, ProbeAnswer, RememberedIdentity, Verdict } from '../../src/domain/verdict.ts';

const present = (found: ObjectKind, uid?: string): ProbeAnswer => ({
  answer: 'present',
  code: 'row',
  found,
  ...(uid === undefined ? {} : { uid }),
});
const absent: ProbeAnswer = { answer: 'absent', code: 'no-row' };
const table77: RememberedIdentity = { found: 'table', uid: '77' };

describe('the verdict of one answer', () => {
  test.each<[string, EntityKind, ProbeAnswer, RememberedIdentity | undefined, Verdict]>([
    ['present, seen for the first time', 'table', present('table', '77'), undefined, seen('present', 'table', '77')],
    ['present, the same identity', 'table', present('table', '77'), table77, seen('present', 'table', '77')],
    ['another identity', 'table', present('table', '78'), table77, seen('replaced', 'table', '78')],
    ['another kind', 'table', present('view', '77'), table77, seen('replaced', 'view', '77')],
    ['another kind, seen for the first time', 'view', present('table'), undefined, seen('replaced', 'table')],
    ['a kind that is never registered', 'table', present('other', '77'), table77, seen('replaced', 'other', '77')],
    ['a kind that a table may be', 'table', present('foreign-table'), undefined, seen('present', 'foreign-table')],
    ['present, no identity now', 'table', present('table'), table77, seen('present', 'table')],
    [
      'present, no identity before',
      'table',
      present('table', '77'),
      { found: 'table' },
      seen('present', 'table', '77'),
    ],
    ['absent, never seen', 'table', absent, undefined, { kind: 'absent', code: 'no-row' }],
    ['absent, its identity remembered', 'table', absent, table77, { kind: 'absent', code: 'no-row', uid: '77' }],
    [
      'the container is missing',
      'table',
      { answer: 'parent-absent', code: '3F000' },
      table77,
      { kind: 'unknown', code: 'parent-absent' },
    ],
    ['no answer', 'table', { answer: 'unknown', code: '57014' }, table77, { kind: 'unknown', code: '57014' }],
  ])('%s', (_name, kind, answer, remembered, verdict) => {
    expect(verdictOf(kind, answer, remembered)).toEqual(verdict);
  });

  test('B31 nothing that is remembered turns a present into an absence, or a doubt into an answer', () => {
    const kinds = fc.constantFrom<EntityKind>('schema', 'table', 'view', 'topic');
    const found = fc.constantFrom<ObjectKind>('schema', 'table', 'foreign-table', 'view', 'topic', 'other');
    const uid = fc.option(fc.constantFrom('1', '2'), { nil: undefined });
    const answer = fc.oneof(
      fc.tuple(found, uid).map(([what, which]) => present(what, which)),
      fc.constantFrom<ProbeAnswer>(absent, { answer: 'parent-absent', code: 'x' }, { answer: 'unknown', code: 'x' }),
    );
    const remembered = fc.option(
      fc.tuple(found, uid).map(([what, which]) => ({ found: what, ...(which === undefined ? {} : { uid: which }) })),
      { nil: undefined },
    );
    fc.assert(
      fc.property(kinds, answer, remembered, (kind, given, before) => {
        const allowed = {
          present: ['present', 'replaced'],
          absent: ['absent'],
          'parent-absent': ['unknown'],
          unknown: ['unknown'],
        };
        expect(allowed[given.answer]).toContain(verdictOf(kind, given, before).kind);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what was inside a missing container', () => {
  test.each<[string, Verdict['kind'] | undefined, boolean, Verdict['kind']]>([
    ['the container is absent, and that says it all', 'absent', true, 'absent'],
    ['the container is absent, but its contents may live on', 'absent', false, 'unknown'],
    ['the container is not registered', undefined, true, 'unknown'],
    ['the container got no answer', 'unknown', true, 'unknown'],
    ['the container was renamed', 'renamed', true, 'unknown'],
    ['the container was replaced', 'replaced', true, 'unknown'],
    ['the container was copied', 'copied', true, 'unknown'],
    ['the container is there after all', 'present', true, 'unknown'],
  ])('%s', (_name, parent, implies, kind) => {
    expect(settleParentAbsent(parent, implies, '77').kind).toBe(kind);
  });

  test('keeps its identity, so that it can be looked for elsewhere', () => {
    expect(settleParentAbsent('absent', true, '77')).toEqual({ kind: 'absent', code: 'parent-absent', uid: '77' });
    expect(settleParentAbsent('absent', true, undefined)).toEqual({ kind: 'absent', code: 'parent-absent' });
  });
});

describe('where an absent object’s identity is now', () => {
  const t1 = { kind: 'absent', code: 'no-row', uid: '77' } as const;
  const at = (name: string, over: Partial<Located> = {}): Located => ({
    uid: '77',
    path: ['sales', name],
    found: 'table',
    ...over,
  });
  const settle = (located: readonly Located[], registered: readonly Path[] = [], absence: typeof t1 = t1) =>
    settleMoved({ kind: 'table', path: ['s', 't1'] }, absence, located, ({ path }) =>
      registered.some((known) => known.join('/') === path.join('/')),
    );
  const copied: Verdict = { kind: 'copied', code: 'identity-elsewhere', uid: '77' };

  test('nowhere: it stays absent', () => {
    expect(settle([])).toBe(t1);
  });

  test('other identities are of no interest', () => {
    expect(settle([at('t2', { uid: '78' }), at('t3', { uid: '7' })])).toBe(t1);
  });

  test('without an identity there is nothing to look for', () => {
    const unseen = { kind: 'absent', code: 'no-row' } as const;
    expect(settleMoved({ kind: 'table', path: ['s', 't1'] }, unseen, [at('t2')], () => true)).toBe(unseen);
  });

  test('B37 one holder under a new name is a rename', () => {
    const expected = { kind: 'renamed', code: 'identity-elsewhere', uid: '77', movedTo: ['sales', 't2'], taken: false };
    expect(settle([at('t9', { uid: '1' }), at('t2')])).toEqual(expected);
  });

  test('B37 a rename onto a name that is registered says so', () => {
    expect(settle([at('t2')], [['sales', 't2']])).toMatchObject({ kind: 'renamed', taken: true });
    expect(settle([at('t2')], [['sales', 't3']])).toMatchObject({ kind: 'renamed', taken: false });
  });

  test('B13 gone by its name and there by its identity, at the same place, is a contradiction and no absence', () => {
    const here = at('t1', { path: ['s', 't1'] });
    expect(settle([here], [here.path])).toEqual({ kind: 'unknown', code: 'contradiction' });
  });

  test('B37 two holders are a copy, registered or not', () => {
    expect(settle([at('t2'), at('t3')])).toEqual(copied);
    expect(settle([at('t2'), at('t3')], [['sales', 't2']])).toEqual(copied);
  });

  test('a holder that the registration cannot stand for is no rename', () => {
    expect(settle([at('v1', { found: 'view' })])).toEqual(copied);
  });

  test('B17 of two names with one identity, the one that exists stays present', () => {
    expect(verdictOf('table', present('table', '77'), table77).kind).toBe('present');
    expect(settle([at('orders', { path: ['s2', 'orders'] })], [['s2', 'orders']])).toMatchObject({
      kind: 'renamed',
      movedTo: ['s2', 'orders'],
      taken: true,
    });
  });
});

function seen(kind: 'present' | 'replaced', found: ObjectKind, uid?: string): Verdict {
  return { kind, code: 'row', found, ...(uid === undefined ? {} : { uid }) };
}

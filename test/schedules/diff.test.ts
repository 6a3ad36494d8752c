import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wantedSchedules } from '../../src/schedules/desired.ts';
import { type Change, diffSchedules, type Existing } from '../../src/schedules/diff.ts';
import { compareSchedules } from '../../src/schedules/show.ts';
import { request } from './request.ts';

const [on] = wantedSchedules([request('shop')]);
const [off] = wantedSchedules([request('shop', { enabled: false })]);
if (on === undefined || off === undefined) throw new TypeError('nothing wanted');

const disabledNote = 'Paused by catalog-reconciler: reconcile.enabled is false';
const goneNote = 'Paused by catalog-reconciler: the catalog is not configured any more';
const running: Existing = { scheduleId: on.scheduleId, name: on.name, digest: on.digest, paused: false };
const old = { ...running, digest: 'of another configuration' };
const byUs = { ...running, paused: true, note: disabledNote };
const byOperator = { ...running, paused: true, note: 'moving the database, ask me' };

describe('what has to be done', () => {
  test.each<[string, typeof on | undefined, Existing | undefined, Change['kind'] | undefined, string?]>([
    ['nothing there, wanted', on, undefined, 'create'],
    ['nothing there, disabled', off, undefined, undefined],
    ['B92 equal', on, running, 'keep'],
    ['another spec', on, old, 'update'],
    ['somebody else wrote it', on, { scheduleId: on.scheduleId, name: on.name, paused: false }, 'update'],
    ['paused by an operator', on, byOperator, 'keep'],
    ['paused without a note', on, { ...running, paused: true }, 'keep'],
    ['paused by an operator, another spec', on, { ...byOperator, digest: 'old' }, 'update'],
    ['paused by us, wanted again', on, byUs, 'resume', 'Resumed by catalog-reconciler: reconcile.enabled is true'],
    ['paused by us, wanted again otherwise', on, { ...byUs, digest: 'old' }, 'update'],
    ['disabled', off, running, 'pause', disabledNote],
    ['disabled, another spec', off, old, 'pause', disabledNote],
    ['disabled, paused already', off, byUs, 'keep'],
    ['disabled, paused by an operator', off, byOperator, 'keep'],
    ['configured no more', undefined, running, 'pause', goneNote],
    ['configured no more, paused', undefined, byOperator, 'keep'],
    [
      'configured again',
      on,
      { ...byUs, note: goneNote },
      'resume',
      'Resumed by catalog-reconciler: reconcile.enabled is true',
    ],
  ])('%s', (_name, wanted, existing, kind, note) => {
    const changes = diffSchedules(wanted === undefined ? [] : [wanted], existing === undefined ? [] : [existing]);
    expect(changes.map((change) => change.kind)).toEqual(kind === undefined ? [] : [kind]);
    const [change] = changes;
    expect(change !== undefined && 'note' in change ? change.note : undefined).toBe(note);
  });

  test('is nothing once it was done, and never more than one thing for a schedule', () => {
    const catalog = fc.constantFrom('a', 'b', 'c', 'd');
    const asked = fc.uniqueArray(fc.record({ catalog, enabled: fc.boolean() }), { selector: (item) => item.catalog });
    const state = fc.record({
      catalog,
      digest: fc.constantFrom('old', 'right'),
      paused: fc.boolean(),
      note: fc.constantFrom(disabledNote, goneNote, 'mine'),
    });
    fc.assert(
      fc.property(asked, fc.uniqueArray(state, { selector: (item) => item.catalog }), (requests, states) => {
        const wanted = wantedSchedules(requests.map((item) => request(item.catalog, { enabled: item.enabled })));
        const existing = states.map((item): Existing => {
          const [schedule = on] = wantedSchedules([request(item.catalog)]);
          const { scheduleId, name, digest } = schedule;
          return {
            scheduleId,
            name,
            digest: item.digest === 'right' ? digest : 'old',
            paused: item.paused,
            note: item.note,
          };
        });
        const changes = diffSchedules(wanted, existing);
        expect(new Set(changes.map(({ scheduleId }) => scheduleId)).size).toBe(changes.length);
        const after = carriedOut(changes, existing);
        expect(diffSchedules(wanted, after).filter(({ kind }) => kind !== 'keep')).toEqual([]);
        // an operator's pause is still there
        for (const { scheduleId, paused, note } of existing) {
          if (paused && note === 'mine') {
            expect(after.find((schedule) => schedule.scheduleId === scheduleId)).toMatchObject({ paused, note });
          }
        }
      }),
    );
  });
});

test('what is shown tells wanted and existing ones, and what applying would do', () => {
  const there = { ...old, next: [1], missed: 0 };
  const stranger = { ...there, scheduleId: 'reconcile/lake/old', name: { metalake: 'lake', catalog: 'old' } };
  expect(compareSchedules([on], [stranger, there])).toEqual([
    { scheduleId: on.scheduleId, name: on.name, wanted: on, existing: there, change: 'update' },
    {
      scheduleId: 'reconcile/lake/old',
      name: { metalake: 'lake', catalog: 'old' },
      existing: stranger,
      change: 'pause',
    },
  ]);
  expect(compareSchedules([off], [])).toEqual([{ scheduleId: off.scheduleId, name: off.name, wanted: off }]);
});

function carriedOut(changes: readonly Change[], existing: readonly Existing[]): readonly Existing[] {
  return changes.flatMap((change) => {
    const before = existing.find(({ scheduleId }) => scheduleId === change.scheduleId);
    const base = before ?? { scheduleId: change.scheduleId, name: change.name, paused: false };
    switch (change.kind) {
      case 'keep':
        return [base];
      case 'pause':
        return [{ ...base, paused: true, note: change.note }];
      case 'resume':
        return [{ ...base, paused: false, note: change.note }];
      case 'create':
      case 'update': {
        const ours = base.note?.startsWith('Paused by catalog-reconciler') === true;
        return [{ ...base, digest: change.wanted.digest, ...(ours ? { paused: false } : {}) }];
      }
    }
  });
}

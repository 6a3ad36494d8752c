import { describe, expect, test } from 'vitest';
import { lostForGood, type RestoreContext, type RestoreRefusal, restoreRefusal } from '../../src/domain/restore.ts';

const removal = { action: 'remove', outcome: 'removed', path: ['sales', 'a'] } as const;
const possible: RestoreContext = { removal, restored: false, saved: true, canRestore: true };

describe('a removal', () => {
  test('can be undone once', () => {
    expect(restoreRefusal(possible)).toBeUndefined();
  });

  const obstacles: readonly (readonly [RestoreRefusal, Partial<RestoreContext>])[] = [
    ['no-such-removal', { removal: undefined }],
    ['not-removed', { removal: { ...removal, outcome: 'present' } }],
    ['not-removed', { removal: { ...removal, action: 'repoint', outcome: 'repointed' } }],
    ['not-removed', { removal: { ...removal, outcome: 'already-gone' } }],
    ['already-restored', { restored: true }],
    ['cannot-restore', { canRestore: false }],
    ['not-saved', { saved: false }],
  ];

  test.each(obstacles)('cannot be undone: %s', (reason, over) => {
    expect(restoreRefusal({ ...possible, ...over })?.reason).toBe(reason);
  });
});

describe('what cannot come back', () => {
  const none = { tags: [], policies: [], grants: [], properties: {} };

  test('is each secret by its name, and nothing else', () => {
    expect(lostForGood(['s'], { ...none, tags: ['pii'] })).toEqual([]);
    expect(lostForGood(['s'], { ...none, secrets: ['a', 'b'] }).map(({ what }) => what)).toEqual([
      'secret a: secrets are never saved',
      'secret b: secrets are never saved',
    ]);
  });

  test('is everything where nothing could be seen', () => {
    expect(lostForGood(['s'], 'unseen')).toEqual([{ path: ['s'], what: expect.stringContaining('could not be seen') }]);
  });
});

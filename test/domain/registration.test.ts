import { describe, expect, test } from 'vitest';
import {
  type Attachments,
  type EntityKind,
  entityKindOf,
  isAttended,
  kindFits,
  type ObjectKind,
} from '../../src/domain/registration.ts';
import { attachments } from '../support/builders.ts';

describe('what a registration may stand for', () => {
  const kinds: readonly EntityKind[] = ['schema', 'table', 'view', 'topic'];

  test.each<[ObjectKind, EntityKind | undefined]>([
    ['schema', 'schema'],
    ['table', 'table'],
    ['partitioned-table', 'table'],
    ['foreign-table', 'table'],
    ['view', 'view'],
    ['materialized-view', 'view'],
    ['topic', 'topic'],
    ['other', undefined],
  ])('%s is imported as %s, and fits no other kind', (found, kind) => {
    expect(entityKindOf(found)).toBe(kind);
    expect(kinds.filter((candidate) => kindFits(candidate, found))).toEqual(kind === undefined ? [] : [kind]);
  });
});

describe('attachments that somebody may miss', () => {
  test.each<[string, Partial<Attachments>, boolean]>([
    ['none', {}, false],
    ['a comment and properties only', { comment: 'sold things', properties: { team: 'sales' } }, false],
    ['an owner', { owner: 'anna' }, true],
    ['a tag', { tags: ['pii'] }, true],
    ['a policy', { policies: ['mask'] }, true],
    ['a grant', { grants: [{ principal: 'ben', privilege: 'read' }] }, true],
  ])('%s', (_name, over, attended) => {
    expect(isAttended(attachments(over))).toBe(attended);
  });
});

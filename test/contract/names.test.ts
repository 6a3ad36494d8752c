import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CatalogName,
  type IdKind,
  parseId,
  queries,
  reviewWorkflowId,
  roundWorkflowId,
  scanWorkflowId,
  scheduleId,
  searchAttributes,
  signals,
  tickWorkflowId,
  updates,
  workflowTypes,
} from '../../src/contract/names.ts';

const builders = {
  round: roundWorkflowId,
  scan: scanWorkflowId,
  review: reviewWorkflowId,
  tick: tickWorkflowId,
  reconcile: scheduleId,
} as const satisfies Record<IdKind, (name: CatalogName) => string>;
const kinds = Object.keys(builders) as IdKind[];

const sign = fc.constantFrom('%', '/', '2', 'F', 'a', 'é', '😀', '.', ' ', '\0', ':', '-');
const anyText = fc.oneof(
  fc.string({ unit: sign, minLength: 1, maxLength: 6 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
);
const anyName: fc.Arbitrary<CatalogName> = fc.record({ metalake: anyText, catalog: anyText });
const nearText = fc.constantFrom('a', 'a/b', 'b', 'a%2Fb', 'a%', '%2Fb', '2Fb');
const nearName: fc.Arbitrary<CatalogName> = fc.record({ metalake: nearText, catalog: nearText });

describe('ids', () => {
  test('B23 are fixed for a catalog, one for each purpose', () => {
    const name = { metalake: 'lake', catalog: 'shop' };
    expect(kinds.map((kind) => builders[kind](name))).toEqual([
      'round/lake/shop',
      'scan/lake/shop',
      'review/lake/shop',
      'tick/lake/shop',
      'reconcile/lake/shop',
    ]);
  });

  test('lead back to their names, whatever those are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), anyName, (kind, name) => {
        expect(parseId(builders[kind](name))).toEqual({ kind, ...name });
      }),
      { numRuns: 200 },
    );
  });

  test('are never another catalog’s or another purpose’s', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        nearName,
        fc.constantFrom(...kinds),
        nearName,
        (kind, name, other, named) => {
          const same = kind === other && name.metalake === named.metalake && name.catalog === named.catalog;
          expect(builders[kind](name) === builders[other](named)).toBe(same);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are refused for a name that would arrive as another one', () => {
    expect(() => roundWorkflowId({ metalake: 'lake', catalog: 'shop\ud800' })).toThrow(URIError);
  });

  test.each([
    ['empty', ''],
    ['of somebody else', 'order-17'],
    ['of an unknown purpose', 'rounds/lake/shop'],
    ['of a purpose that every object has', 'constructor/lake/shop'],
    ['without a catalog', 'round/lake'],
    ['with an empty catalog', 'round/lake/'],
    ['with an empty metalake', 'round//shop'],
    ['with one part too many', 'round/lake/shop/17'],
    ['with an escape that is none', 'round/lake/50%'],
    ['with an escape of half a character', 'round/lake/%ED%A0%80'],
    ['with another spelling of its name', 'round/%6Cake/shop'],
    ['with a sign that is always escaped', 'round/lake/my shop'],
    ['with an escape in small letters', 'round/lake/a%2fb'],
  ])('that are not ours are not read: %s', (_name, id) => {
    expect(parseId(id)).toBeUndefined();
  });
});

describe('names that cross a process', () => {
  test('are told apart within each list', () => {
    for (const list of [workflowTypes, queries, updates, signals]) {
      const names = Object.values(list);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('of search attributes are those that people type', () => {
    const typed = Object.values(searchAttributes).map(({ name, type }) => [name, type]);
    expect(typed).toEqual([
      ['CatalogId', 'KEYWORD'],
      ['ReconcilePhase', 'KEYWORD'],
      ['StaleCount', 'INT'],
    ]);
  });
});

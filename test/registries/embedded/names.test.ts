import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Path, pathText } from '../../../src/domain/path.ts';
import type { EntityKind } from '../../../src/domain/registration.ts';
import { type CaseRule, foldedKey, spelled } from '../../../src/registries/embedded/case-rule.ts';
import { longestPathKey, pathProblem } from '../../../src/registries/embedded/names.ts';
import { cursorOf, nameCursorOf, parseCursor, parseNameCursor } from '../../../src/registries/embedded/page-cursor.ts';
import { pathOf } from '../../../src/registries/embedded/registration-rows.ts';

const name = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }).filter((text) => !/[\0\u001f]/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 4 }) as unknown as fc.Arbitrary<Path>;

describe('paths', () => {
  test.each<[EntityKind, Path, string | undefined]>([
    ['schema', ['s'], undefined],
    ['topic', ['t'], undefined],
    ['table', ['t'], 'a table lies in a schema'],
    ['view', ['v'], 'a view lies in a schema'],
    ['table', ['s', 'a\u001fb'], undefined],
    ['schema', ['a\u001fb'], 'the name of a schema holds no U+001F, which separates levels'],
    ['table', ['a\u001fb', 't'], 'the name of a schema holds no U+001F, which separates levels'],
    ['schema', [''], 'a name is not empty'],
    ['table', ['s', 'a\0'], 'a name holds no NUL character'],
    ['table', ['s', '\ud83d'], 'a name is well-formed Unicode'],
    ['table', ['s', '😀'], undefined],
    ['schema', ['n'.repeat(255)], undefined],
    ['schema', ['n'.repeat(256)], 'a name has at most 255 characters'],
    ['schema', Array.from({ length: 33 }, () => 'n') as unknown as Path, 'a path has at most 32 levels'],
    ['schema', ['名'.repeat(255), '名'.repeat(255), '名'.repeat(255)], undefined],
    ['schema', Array.from({ length: 4 }, () => '名'.repeat(255)) as unknown as Path, 'a path has at most 2400 bytes'],
  ])('%s %j: %s', (kind, wanted, problem) => {
    expect(pathProblem(kind, wanted)).toBe(problem);
  });

  test('whatever is accepted comes back from its key, and the key fits the index', () => {
    fc.assert(
      fc.property(path, (wanted) => {
        expect(pathProblem('schema', wanted)).toBeUndefined();
        expect(pathOf(pathText(wanted))).toEqual(wanted);
        expect(Buffer.byteLength(pathText(wanted))).toBeLessThanOrEqual(longestPathKey);
      }),
    );
  });
});

describe('case rules', () => {
  test.each<[CaseRule, Path, Path, string | undefined]>([
    ['sensitive', ['Ä', 'b'], ['Ä', 'b'], undefined],
    ['lower', ['Ä', 'B'], ['ä', 'b'], undefined],
    ['upper', ['ä', 'b'], ['Ä', 'B'], undefined],
    ['insensitive', ['Ä', 'b/C'], ['Ä', 'b/C'], 'ä/b%2Fc'],
  ])('%s: %j is kept as %j and found by %s', (rule, given, kept, folded) => {
    expect(spelled(rule, given)).toEqual(kept);
    expect(foldedKey(rule, given)).toBe(folded);
  });

  test('a spelling is spelled like itself', () => {
    fc.assert(
      fc.property(path, fc.constantFrom<CaseRule>('lower', 'upper'), (given, rule) => {
        const once = spelled(rule, given);
        expect(spelled(rule, once)).toEqual(once);
      }),
    );
  });
});

describe('cursors', () => {
  test('come back as the position they were made of', () => {
    fc.assert(
      fc.property(path, fc.constantFrom('schema', 'relation', 'topic'), (at, nameSpace) => {
        const position = { pathKey: pathText(at), nameSpace } as const;
        expect(parseCursor(cursorOf(position))).toEqual(position);
        expect(cursorOf(position)).toMatch(/^[\w-]+$/);
      }),
    );
    fc.assert(
      fc.property(name, (each) => {
        expect(parseNameCursor(nameCursorOf(each))).toBe(each);
      }),
    );
  });

  test('that nobody made are told apart', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const position = parseCursor(text);
        if (position !== undefined) expect(cursorOf(position)).toBe(text);
        const parsed = parseNameCursor(text);
        if (parsed !== undefined) expect(nameCursorOf(parsed)).toBe(text);
      }),
    );
    for (const text of ['', 'x', '====', 'cw', Buffer.from('sa%zz').toString('base64url')]) {
      expect(parseCursor(text)).toBeUndefined();
    }
  });
});

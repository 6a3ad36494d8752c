import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insideBounds, isInside, parentPath, parsePathText, type Path, pathText } from '../../src/domain/path.ts';

/** Names that are likely to go wrong: signs with a meaning, halves of characters, what looks like an escape. */
const sign = fc.constantFrom(
  '%',
  '/',
  '.',
  'u',
  '0',
  '2',
  'D',
  '8',
  'F',
  'a',
  'é',
  '😀',
  '\ud83d',
  '\ude00',
  '\0',
  '\n',
  '\x7f',
);
const anyName = fc.oneof(
  fc.string({ unit: sign, minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
);
const pathOf = (name: fc.Arbitrary<string>): fc.Arbitrary<Path> =>
  fc.tuple(name, fc.array(name, { maxLength: 3 })).map(([first, rest]): Path => [first, ...rest]);
const anyPath = pathOf(anyName);
/** Few names, so that one path often lies inside another. */
const nearPath = pathOf(fc.constantFrom('a', 'ab', 'a/', 'a/b', 'a%', 'a.', 'a0', '0', '\ud800', '😀', '\0', '\uffff'));

/** By code point, as a database with collation C compares UTF-8. */
function before(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')) < 0;
}

describe('the text of a path', () => {
  test.each<[string, Path, string]>([
    ['plain names', ['sales', 'orders'], 'sales/orders'],
    ['B32 dots and blanks stay', ['Looker- 2.0 Test', 'a.b'], 'Looker- 2.0 Test/a.b'],
    ['B35 a percent sign', ['50%off', 'a%2Fb'], '50%25off/a%252Fb'],
    ['B35 blanks and plus signs stay', ['a b', 'x+y'], 'a b/x+y'],
    ['a slash in a name', ['a/b', 'c'], 'a%2Fb/c'],
    ['control characters', ['a\0b\n\x7f'], 'a%00b%0A%7F'],
    ['characters outside the basic plane', ['é😀'], 'é😀'],
    ['half a character', ['\ud83d', '\ude00x'], '%uD83D/%uDE00x'],
    ['halves in the wrong order', ['\ude00\ud83d'], '%uDE00%uD83D'],
    ['half a character before a whole one', ['\ud83d😀\ude00'], '%uD83D😀%uDE00'],
  ])('%s', (_name, path, text) => {
    expect(pathText(path)).toBe(text);
    expect(parsePathText(text)).toEqual(path);
  });

  test('leads back to the path, whatever the names', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        expect(parsePathText(pathText(path))).toEqual(path);
      }),
      { numRuns: 300 },
    );
  });

  test('survives UTF-8 and fits a text column', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const text = pathText(path);
        expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
        expect(text).not.toMatch(/[\0-\x1f\x7f]/);
      }),
      { numRuns: 200 },
    );
  });

  test('is never another path’s', () => {
    fc.assert(
      fc.property(nearPath, nearPath, (one, other) => {
        expect(pathText(one) === pathText(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['an escape that is not needed', '%41'],
    ['an escape of a dot', 'a%2Eb'],
    ['an escape in small letters', 'a%2fb'],
    ['a percent sign alone', '50%'],
    ['a percent sign before anything', '50%off'],
    ['an escape cut short', 'a%2'],
    ['a wide escape of a whole character', '%u0041'],
    ['a wide escape cut short', '%uD8'],
    ['two halves that make a character', '%uD83D%uDE00'],
    ['a wide escape of a sign that has a narrow one', 'a%u002Fb'],
    ['a control character as it is', 'a\nb'],
    ['half a character as it is', 'a\ud83d'],
  ])('is refused where nobody writes it: %s', (_name, text) => {
    expect(parsePathText(text)).toBeUndefined();
  });

  test('is read only where it is exactly what is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 12 }), (text) => {
        const path = parsePathText(text);
        expect(path === undefined || pathText(path) === text).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what lies inside a container', () => {
  test.each<[string, Path, Path, boolean]>([
    ['a child', ['a', 'b'], ['a'], true],
    ['a grandchild', ['a', 'b', 'c'], ['a'], true],
    ['itself', ['a'], ['a'], false],
    ['its container', ['a'], ['a', 'b'], false],
    ['a neighbour of a similar name', ['ab', 'c'], ['a'], false],
    ['a child of a container with a slash in its name', ['a/b', 'c'], ['a'], false],
    ['a child of another container', ['b', 'b'], ['a'], false],
    ['a neighbour just before its contents', ['a.x'], ['a'], false],
    ['a neighbour just after its contents', ['a0'], ['a'], false],
    ['a child of the last character', ['a', '\u{10ffff}'], ['a'], true],
  ])('%s', (_name, path, container, inside) => {
    const { above, below } = insideBounds(container);
    const text = pathText(path);
    expect(isInside(path, container)).toBe(inside);
    expect(before(above, text) && before(text, below)).toBe(inside);
  });

  test('lies between its bounds by code point, and nothing else does', () => {
    let found = 0;
    fc.assert(
      fc.property(nearPath, fc.boolean(), nearPath, (container, within, other) => {
        const path: Path = within ? [...container, ...other] : other;
        const { above, below } = insideBounds(container);
        const text = pathText(path);
        const inside = isInside(path, container);
        expect(before(above, text) && before(text, below)).toBe(inside);
        if (inside) found += 1;
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(50);
  });

  test('lies between its bounds whatever the names', () => {
    fc.assert(
      fc.property(anyPath, anyPath, (container, rest) => {
        const { above, below } = insideBounds(container);
        const text = pathText([...container, ...rest]);
        expect(before(above, text) && before(text, below)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the container of a path', () => {
  test.each<[Path, Path | undefined]>([
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
    ],
    [['a', 'b'], ['a']],
    [['a'], undefined],
  ])('of %j is %j', (path, parent) => {
    expect(parentPath(path)).toEqual(parent);
  });

  test('holds it', () => {
    fc.assert(
      fc.property(anyPath, anyName, (parent, name) => {
        const path: Path = [...parent, name];
        expect(parentPath(path)).toEqual(parent);
        expect(isInside(path, parent)).toBe(true);
      }),
    );
  });
});

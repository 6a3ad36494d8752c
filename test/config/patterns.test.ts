import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePatterns, patternProblem, readPattern } from '../../src/config/patterns.ts';
import { pathText } from '../../src/domain/path.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';

function matches(pattern: string, text: string): boolean {
  const { protect } = compilePatterns({ include: [], exclude: [], protect: [pattern] });
  return protect.every((test) => test(text));
}

describe('a pattern', () => {
  test.each([
    ['sales', 'sales', true],
    ['sales', 'Sales', false],
    ['sales', 'sales/orders', false],
    ['sales/**', 'sales', true],
    ['sales/**', 'sales/orders', true],
    ['sales/**', 'salesforce', false],
    ['sales/*', 'sales/orders', true],
    ['sales/*', 'sales/orders/x', false],
    ['*', 'sales/orders', false],
    ['**', 'sales/orders', true],
    ['**/tmp_*', 'tmp_1', true],
    ['**/tmp_*', 'a/b/tmp_1', true],
    ['**/tmp_*', 'a/tmp_1/b', false],
    ['{a,b}/x', 'b/x', true],
    ['a?', 'ab', true],
    ['a[0-9]', 'a1', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['.*', '.hidden', true],
    ['*', '.hidden', true],
    ['sales/**', 'sales/..', true],
    ['sales/?', 'sales/.', true],
    ['..', '..', true],
    ['50%25', pathText(['50%']), true],
    ['a%2Fb', pathText(['a/b']), true],
    // no meaning of its own for these: they are letters of a name
    ['!public', '!public', true],
    ['!public', 'other', false],
    ['revenue (old)/*', 'revenue (old)/x', true],
    ['(a|b)', 'a', false],
    ['(a|b)*', '(a|b)c', true],
    ['+(a)', 'aa', false],
    ['"q"*', '"q"x', true],
    ['a\\\\:', 'a\\:', true],
    ['a\\\\\\\\b', 'a\\\\b', true],
    ['[ab]', '[ab]', false],
    ['a.b', 'axb', false],
    ['a$', 'a$', true],
    ['#x', '#x', true],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test.each(['', '[a', 'a]', '{a', 'a[z-a]', 'a\\', ' a', 'a ', '/a', 'a/', 'a//b', './a', 'a\nb', 'x'.repeat(1_001)])(
    '%j disarms',
    (pattern) => {
      expect(patternProblem(pattern)).toBeTypeOf('string');
      for (const list of ['include', 'exclude', 'protect'] as const) {
        expect(() => compilePatterns({ ...defaultPolicy, [list]: ['ok', pattern] })).toThrow(
          expect.objectContaining({ type: 'InvalidRequest', code: 'unusable-pattern' }),
        );
      }
    },
  );

  test('either is refused or can be used', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 12 }), fc.string({ maxLength: 12 }), (pattern, text) => {
        if (patternProblem(pattern) === undefined) expect(matches(pattern, text)).toBeTypeOf('boolean');
      }),
      { numRuns: 500 },
    );
  });

  test('with every sign of its own taken away, matches exactly the name it spells', () => {
    const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(name, name, (left, right) => {
        const pattern = pathText([left]).replace(/[\\*?[\]{}]/g, '\\$&');
        fc.pre(patternProblem(pattern) === undefined);
        expect(matches(pattern, pathText([left]))).toBe(true);
        expect(matches(pattern, pathText([right]))).toBe(left === right);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the pattern of a standing keep', () => {
  test('covers what the same pattern of a policy covers', () => {
    expect(readPattern('sales/**')(['sales', 'a/b'])).toBe(true);
    expect(readPattern('sales/**')(['crm', 'a'])).toBe(false);
  });

  test('covers everything where it cannot be read, as it must never let go', () => {
    for (const pattern of ['', 'sales/', '[', ' x']) expect(readPattern(pattern)(['any', 'thing'])).toBe(true);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromJson, toJsonText } from '../../src/ledger/json-text.ts';

/** Every UTF-16 unit for itself, and the ones that matter often. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud800', '\udfff', '\ue000', '\\', 'u', '"', 'e000', '\\u0000', 'd800'),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
});

test('whatever is written comes back, and fits a jsonb column', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.array(text), fc.dictionary(text, fc.array(text)), fc.jsonValue()), (written) => {
      const json = toJsonText(written);
      // throws on a lone surrogate
      encodeURIComponent(json);
      const parsed: unknown = JSON.parse(json);
      expect(JSON.stringify(parsed)).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/);
      expect(fromJson(parsed)).toEqual(JSON.parse(JSON.stringify(written)));
    }),
  );
});

import { expect, test } from 'vitest';
import { nameDoubt, type NameRule } from '../../src/sources/name-gate.ts';

const postgres: NameRule = { maxBytes: 63, outerBlanks: 'kept' };
const mysql: NameRule = { maxCharacters: 64, outerBlanks: 'doubtful' };

test.each([
  ['orders', postgres, undefined],
  [' a.b%2F"c ', postgres, undefined],
  ['a'.repeat(63), postgres, undefined],
  ['日'.repeat(21), postgres, undefined],
  ['😀', postgres, undefined],
  ['', postgres, 'name-empty'],
  ['a\0b', postgres, 'name-holds-nul'],
  ['a\ud800', postgres, 'name-not-well-formed'],
  ['\udc00a', postgres, 'name-not-well-formed'],
  ['caf\ufffd', postgres, 'name-holds-replacement'],
  ['a'.repeat(64), postgres, 'name-too-long'],
  ['日'.repeat(22), postgres, 'name-too-long'],
  ['日'.repeat(64), mysql, undefined],
  ['日'.repeat(65), mysql, 'name-too-long'],
  ['orders ', mysql, 'name-outer-blank'],
  ['\torders', mysql, 'name-outer-blank'],
])('name gate: %j', (name, rule, doubt) => {
  expect(nameDoubt(name, rule)).toBe(doubt);
});

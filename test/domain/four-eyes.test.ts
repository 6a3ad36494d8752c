import { expect, test } from 'vitest';
import { isSamePerson } from '../../src/domain/four-eyes.ts';

test.each([
  ['anna', 'anna', true],
  ['Anna', ' aNNA\t', true],
  ['ﬁona', 'fiona', true],
  ['anna', 'ben', false],
  ['anna', 'anna b', false],
])('%j and %j are one person: %s', (one, other, same) => {
  expect(isSamePerson({ name: one }, { name: other })).toBe(same);
});

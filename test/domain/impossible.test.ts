import { expect, test } from 'vitest';
import { moveFinding } from '../../src/domain/finding.ts';
import { verdictOf } from '../../src/domain/identity.ts';
import { impossible } from '../../src/domain/impossible.ts';
import { judged, judgingRound, standing } from '../support/builders.ts';

test('a case that nobody thought of is an error that names it', () => {
  expect(() => impossible('maybe' as never)).toThrow(new TypeError('no such case: "maybe"'));
});

test('a verdict or an answer from elsewhere is refused, not taken for another one', () => {
  const verdict = { kind: 'probably-gone', code: 'x' } as never;
  expect(() => moveFinding(standing(), { ...judged('absent'), verdict }, judgingRound())).toThrow(/probably-gone/);
  expect(() => verdictOf('table', { answer: 'perhaps', code: 'x' } as never, undefined)).toThrow(/perhaps/);
});

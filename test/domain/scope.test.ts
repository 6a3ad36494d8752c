import { expect, test } from 'vitest';
import { type Mark, markOf, type ScopePatterns } from '../../src/domain/scope.ts';
import { registration } from '../support/builders.ts';

const yes = () => true;
const no = () => false;
const nothing: ScopePatterns = { include: [], exclude: [], protect: [] };

test.each<[string, boolean, Partial<ScopePatterns>, Mark]>([
  ['no pattern at all', false, {}, 'probe'],
  ['patterns that do not match', false, { exclude: [no], protect: [no] }, 'probe'],
  ['one of the include patterns matches', false, { include: [no, yes] }, 'probe'],
  ['B20 none of the include patterns matches', false, { include: [no, no] }, 'out-of-scope'],
  ['one of the exclude patterns matches', false, { exclude: [no, yes] }, 'excluded'],
  ['excluded within what is included', false, { include: [yes], exclude: [yes] }, 'excluded'],
  ['protected, whatever else is said', false, { include: [no], exclude: [yes], protect: [no, yes] }, 'protected'],
  ['managed, whatever else is said', true, { include: [yes], exclude: [yes], protect: [yes] }, 'managed'],
])('a registration takes part as it must: %s', (_name, managed, patterns, mark) => {
  expect(markOf(registration({ managed }), 'sales/orders', { ...nothing, ...patterns })).toBe(mark);
});

test('patterns are asked about the text of the path', () => {
  const asked: string[] = [];
  const ask = (path: string) => {
    asked.push(path);
    return false;
  };
  markOf(registration(), 'sales/50%25off', { include: [ask], exclude: [ask], protect: [ask] });
  expect(asked).toEqual(['sales/50%25off', 'sales/50%25off', 'sales/50%25off']);
});

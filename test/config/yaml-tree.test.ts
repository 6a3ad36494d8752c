import { describe, expect, test } from 'vitest';
import { problemsOf } from './loading.ts';

describe('the file', () => {
  test.each([
    ['a key written twice', 'server:\n  port: 1\n  port: 2', 'conf.yaml:3', /port: .*|written twice, first in line 2/],
    ['a name written twice', 'metalakes:\n  a:\n  "a":\n', 'conf.yaml:3', /written twice, first in line 2/],
    ['two documents', 'logLevel: info\n---\nlogLevel: warn', 'conf.yaml:2', /multiple documents/],
    ['a tag', 'logLevel: !env LEVEL', 'conf.yaml:1', /Unresolved tag: !env/],
    ['a bracket left open', 'server: [\nlogLevel: info', 'conf.yaml:2', /./],
    ['an unknown alias', 'logLevel: *x', 'conf.yaml:1', /refers to nothing/],
    ['a list at the top', '- logLevel', 'conf.yaml:1', /takes keys below it/],
    ['an alias inside itself', 'metalakes: &a\n  b: *a', 'conf.yaml', /nested too deep/],
  ])('is refused for %s', (_name, yaml, where, text) => {
    const [problem] = problemsOf(yaml);
    expect(problem).toMatchObject({ where, text: expect.stringMatching(text) });
  });

  test('may use anchors, Windows line ends and a byte order mark', () => {
    expect(problemsOf('\uFEFFserver: &s {port: 1}\r\nlogLevel: info\r\n')).toEqual([]);
    expect(problemsOf('reconcile: {exclude: &e [a], protect: *e}')).toEqual([]);
  });
});

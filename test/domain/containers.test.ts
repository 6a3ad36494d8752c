import { expect, test } from 'vitest';
import { carrierOf } from '../../src/domain/containers.ts';
import type { Path } from '../../src/domain/path.ts';

test.each<[string, Path, readonly string[], string | undefined]>([
  ['nothing around it is absent', ['a', 'b', 'c'], ['x', 'a/b/d'], undefined],
  ['its container is', ['a', 'b', 'c'], ['a/b'], 'a/b'],
  ['the outermost of several', ['a', 'b', 'c'], ['a/b', 'a'], 'a'],
  ['the outermost, though one between is not absent', ['a', 'b', 'c', 'd'], ['a', 'a/b/c'], 'a'],
  ['it never carries itself', ['a', 'b'], ['a/b'], undefined],
  ['an outermost one has no container', ['a'], ['a'], undefined],
  ['a container of a similar name is another one', ['ab', 'c'], ['a', 'abc'], undefined],
  ['a slash in a name makes no container', ['a/b', 'c'], ['a', 'a/b'], undefined],
  ['a container with a slash in its name', ['a/b', 'c'], ['a%2Fb'], 'a%2Fb'],
])('what carries it: %s', (_name, path, absent, carrier) => {
  expect(carrierOf(path, (text) => absent.includes(text))).toBe(carrier);
});

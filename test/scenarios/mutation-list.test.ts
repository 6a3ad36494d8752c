import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutations } from './mutation-list.ts';

const patches = mutations.flatMap(({ rule, patches: some }) => some.map((patch) => ({ rule, ...patch })));

test.each(patches)('what breaks "$rule" still finds its place in $file', ({ file, find, replace }) => {
  expect(readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')).toContain(find);
  expect(replace).not.toBe(find);
});

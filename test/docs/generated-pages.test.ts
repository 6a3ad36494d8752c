import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cliPage } from '../../scripts/print-cli.ts';
import { failuresPage } from '../../scripts/print-failures.ts';
import { knownFailures } from '../../scripts/known-failures.ts';
import { knownFailuresPage, testsByFailure } from '../../scripts/print-known-failures.ts';
import { openApiText } from '../../scripts/print-openapi.ts';
import { metricsPage } from '../../scripts/print-metrics.ts';
import { failureRules } from '../../src/domain/failure.ts';

const page = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

test('docs/failures.md is what scripts/print-failures.ts prints, a row a type', () => {
  const failures = page('failures.md');
  expect(failures).toBe(failuresPage());
  for (const type of Object.keys(failureRules)) expect(failures).toContain(`| \`${type}\` |`);
});

test('docs/cli.md is what scripts/print-cli.ts prints: every command, each with an example', () => {
  const cli = page('cli.md');
  expect(cli).toBe(cliPage());
  const headings = [...cli.matchAll(/^### `(.+?)`$/gm)].map(([, words = '']) => words);
  expect(headings).toContain('doctor');
  for (const words of headings) expect(cli, words).toMatch(new RegExp(`^npx catalog-reconciler ${words}\\b`, 'm'));
});

test('docs/openapi.json is what scripts/print-openapi.ts prints, an OpenAPI 3.1 document of every route', async () => {
  const text = page('openapi.json');
  expect(text).toBe(await openApiText());
  const { openapi, paths } = JSON.parse(text) as { readonly openapi: string; readonly paths: object };
  expect(openapi).toMatch(/^3\.1\./);
  expect(Object.keys(paths).length).toBeGreaterThan(30);
});

test('docs/metrics.md is what scripts/print-metrics.ts prints', () => {
  expect(page('metrics.md')).toBe(metricsPage());
});

test('docs/known-failures.md is what scripts/print-known-failures.ts prints, and no failure is left without a word', () => {
  expect(page('known-failures.md')).toBe(knownFailuresPage());
  const tests = testsByFailure();
  const listed = knownFailures.flatMap(({ failures }) => failures);
  const bare = listed.filter(({ id, why }) => why === undefined && !tests.has(id));
  expect(bare.map(({ id }) => id)).toEqual([]);
  expect([...tests.keys()].filter((id) => !listed.some((known) => known.id === id))).toEqual([]);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
});

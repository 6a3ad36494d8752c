import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fencesOf } from './examples/fences.ts';
import { exchangesIn } from './examples/transcript.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

/** Method and address of every request that the page makes. */
const requested = fencesOf(read('api-by-example.md'))
  .filter(({ language }) => language === 'console')
  .flatMap(({ body }) => exchangesIn(body))
  .flatMap(({ command }) => [
    ...[...command.matchAll(/\bapi ([A-Z]+) ["']?(\/[^\s"'?]*)/g)].map(
      ([, method = '', url = '']) => `${method} /api${url}`,
    ),
    ...[...command.matchAll(/curl .*http:\/\/127\.0\.0\.1:8080(\/[^\s"'?]*)/g)].map(([, url = '']) => `GET ${url}`),
  ]);

const { paths } = JSON.parse(read('openapi.json')) as { readonly paths: Readonly<Record<string, object>> };
const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
);

function meant(endpoint: string): RegExp {
  return new RegExp(`^${endpoint.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

test('docs/api-by-example.md makes a request to every endpoint', () => {
  expect(endpoints.length).toBeGreaterThan(50);
  expect(endpoints.filter((endpoint) => !requested.some((request) => meant(endpoint).test(request)))).toEqual([]);
});

test('and to nothing that is not there', () => {
  expect(requested.filter((request) => !endpoints.some((endpoint) => meant(endpoint).test(request)))).toEqual([]);
});

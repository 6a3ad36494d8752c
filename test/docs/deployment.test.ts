import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const at = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(at(name), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly unknown[] };
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
}

describe('the Dockerfile', () => {
  const text = read('Dockerfile');
  const letIn = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));

  test('copies what exists and what .dockerignore lets in, and all of that', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
    expect([...copied].sort()).toEqual([...letIn].sort());
    expect(copied.filter((name) => !existsSync(at(name)))).toEqual([]);
  });

  test('ends as a user that is not root, with Node as the first process, so that signals arrive', () => {
    const last = text.slice(text.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).toMatch(/^ENTRYPOINT \["node", .*"dist\/main\/cli\.js"\]$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/livez/m);
  });
});

describe('docker-compose.yml', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image === 'catalog-reconciler');

  test('runs the image as one API and two workers', () => {
    expect(ours.map(([name, { command }]) => [name, command])).toEqual([
      ['api', ['api']],
      ['worker-1', ['worker']],
      ['worker-2', ['worker']],
    ]);
  });

  test('asks each worker for a sign of life where it serves one, and waits longer than a worker takes to leave', () => {
    for (const [name, { healthcheck, environment, stop_grace_period: grace, ports }] of ours.slice(1)) {
      expect(
        healthcheck?.test.every((word) => typeof word === 'string'),
        name,
      ).toBe(true);
      expect(healthcheck?.test.at(-1)).toContain(`:${environment?.['RECONCILER_METRICS_PORT']}/livez`);
      expect(grace).toBe('35s');
      expect(ports).toEqual([]);
    }
  });

  test('lets nobody in from outside this machine', () => {
    for (const [name, { ports = [] }] of Object.entries(services))
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  });
});

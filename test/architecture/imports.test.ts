import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Wall, type Walls, checkSource } from './check-source.ts';

// Rows import columns: y = yes, T = types only, - = no. The arrows point inwards: domain does not know who calls it.
const table = `
  from \\ to      domain contract workflows activities registries sources ledger delta schedules api temporal config observability main
  domain         y      -        -         -          -          -       -      -     -         -   -        -      -             -
  contract       T      y        -         -          -          -       -      -     -         -   -        -      -             -
  workflows      y      y        y         T          -          -       -      -     -         -   -        -      -             -
  activities     y      y        -         y          T          T       T      -     -         -   -        -      T             -
  registries     y      -        -         -          y          T       -      y     -         -   -        -      T             -
  sources        y      -        -         -          T          y       -      -     -         -   -        -      T             -
  ledger         y      -        -         -          -          -       y      -     -         -   -        -      T             -
  delta          -      -        -         -          -          -       -      y     -         -   -        -      -             -
  schedules      y      y        T         -          -          -       -      -     y         -   -        T      T             -
  api            y      y        -         -          T          -       T      y     -         y   -        T      T             -
  temporal       y      y        T         -          -          -       -      -     y         T   y        T      y             -
  config         y      -        -         -          -          -       -      -     -         -   -        y      -             -
  observability  -      -        -         -          -          -       -      -     -         -   -        T      y             -
  main           y      y        -         y          y          y       y      y     y         y   y        y      y             y
`;

/** Packages a room may use; one more is a decision, and belongs in docs/decisions as well. */
const packages: Record<string, string[]> = {
  domain: [],
  contract: ['@temporalio/common'],
  workflows: ['@temporalio/workflow', '@temporalio/common'],
  activities: ['@temporalio/activity', '@temporalio/common', 'p-limit'],
  registries: ['zod', 'undici', 'p-limit', 'picomatch', 'drizzle-orm', 'pg', '@electric-sql/*', '@aws-sdk/*'],
  sources: ['zod', 'undici', 'p-limit', 'picomatch', 'pg', '@aws-sdk/client-s3'],
  ledger: ['drizzle-orm', 'pg', '@electric-sql/*'],
  delta: ['lossless-json'],
  schedules: ['@temporalio/client', 'cron-parser'],
  api: ['fastify', 'fastify-type-provider-zod', '@fastify/*', 'zod', 'jsonc-parser', 'jose'],
  temporal: [
    '@temporalio/client',
    '@temporalio/worker',
    '@temporalio/envconfig',
    '@temporalio/common',
    '@temporalio/activity (types)',
    'get-port',
  ],
  config: ['zod', 'yaml', 'cron-parser', 'picomatch'],
  observability: ['pino', 'pino-pretty', 'prom-client', '@temporalio/worker'],
  main: ['*'],
};

/** Walls that are open to some files only. */
const narrower: Walls['narrower'] = [
  { from: 'sources', to: 'registries', files: /^sources\/registry-load\// },
  { from: 'registries', to: 'delta', files: /^registries\/embedded\// },
  { from: 'schedules', to: '@temporalio/client', files: /^schedules\/apply\.ts$/ },
];

/** Rooms that run in a sandbox or must give the same answer twice. */
const withoutBuiltins = ['domain', 'contract', 'workflows'];

const root = fileURLToPath(new URL('../../', import.meta.url));
const walls: Walls = { rooms: readTable(table), packages, narrower, withoutBuiltins, dependencies: dependencies() };

describe('the house', () => {
  const files = sourceFiles();

  test('has sources to look at', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  test('keeps its walls', () => {
    const violations = files.flatMap((file) => checkSource(file, readFileSync(join(root, 'src', file), 'utf8'), walls));
    expect(violations.map(({ file, line, rule, detail }) => `src/${file}:${line} ${rule}: ${detail}`)).toEqual([]);
  });

  test('names packages of each room, and only rooms of the table', () => {
    expect(Object.keys(packages).sort()).toEqual(Object.keys(walls.rooms).sort());
  });
});

describe('the checker finds', () => {
  test.each<[string, string, string, string]>([
    ['a room that is not in the table', 'kitchen/sink.ts', '', 'room'],
    ['a file outside every room', 'index.ts', '', 'room'],
    ['an import from an unknown room', 'main/cli.ts', `import { a } from '../kitchen/sink.ts';`, 'room'],
    ['a wall', 'domain/a.ts', `import { b } from '../contract/b.ts';`, 'wall'],
    ['a wall for types', 'domain/a.ts', `import type { B } from '../contract/b.ts';`, 'wall'],
    ['a value where types only', 'workflows/a.ts', `import { probe } from '../activities/index.ts';`, 'wall'],
    ['an inline type, which stays an import', 'api/a.ts', `import { type A } from '../ledger/a.ts';`, 'wall'],
    ['a re-export', 'contract/a.ts', `export * from '../domain/verdict.ts';`, 'wall'],
    ['a named re-export', 'contract/a.ts', `export { a } from '../domain/verdict.ts';`, 'wall'],
    ['a dynamic import', 'api/a.ts', `const a = await import('../temporal/gateway.ts');`, 'wall'],
    ['an import type expression', 'domain/a.ts', `type A = import('../ledger/a.ts').A;`, 'wall'],
    ['a side-effect import', 'ledger/a.ts', `import '../main/cli.ts';`, 'wall'],
    [
      'the registry port outside registry-load',
      'sources/kafka/a.ts',
      `import type { R } from '../../registries/r.ts';`,
      'wall',
    ],
    ['delta outside the embedded registry', 'registries/unity/a.ts', `import { a } from '../../delta/a.ts';`, 'wall'],
    ['the client outside apply.ts', 'schedules/diff.ts', `import { Client } from '@temporalio/client';`, 'wall'],
    ['a package in a pure room', 'domain/a.ts', `import { z } from 'zod';`, 'package'],
    ['zod in workflows', 'workflows/a.ts', `import { z } from 'zod';`, 'package'],
    ['Temporal in the API', 'api/a.ts', `import type { Client } from '@temporalio/client';`, 'package'],
    [
      'a value of a package that is for types',
      'temporal/a.ts',
      `import { Context } from '@temporalio/activity';`,
      'package',
    ],
    ['a sub-path of a package', 'delta/a.ts', `import { drizzle } from 'drizzle-orm/node-postgres';`, 'package'],
    ['a tool of the tests', 'main/cli.ts', `import { test } from 'vitest';`, 'package'],
    ['test support', 'main/cli.ts', `import { fake } from '../../test/support/fake.ts';`, 'outside'],
    ['crypto in the domain', 'domain/a.ts', `import { createHash } from 'node:crypto';`, 'builtin'],
    ['a type of a built-in in the contract', 'contract/a.ts', `import type { Server } from 'node:http';`, 'builtin'],
    ['a built-in without its prefix', 'ledger/a.ts', `import { join } from 'path';`, 'builtin'],
    ['the environment', 'main/cli.ts', 'const home = process.env.HOME;', 'process-env'],
    ['the environment by key', 'main/cli.ts', `const env = process['env'];`, 'process-env'],
    ['the environment taken apart', 'main/cli.ts', 'const { env } = process;', 'process-env'],
    ['the environment imported', 'main/cli.ts', `import { env } from 'node:process';`, 'process-env'],
    ['the clock', 'domain/a.ts', 'export const now = () => Date.now();', 'impure'],
    ['a new Date without argument', 'domain/a.ts', 'export const now = () => new Date();', 'impure'],
    ['chance', 'domain/a.ts', 'export const dice = () => Math.random();', 'impure'],
    ['a timer', 'domain/a.ts', 'setTimeout(() => undefined, 1);', 'impure'],
    ['B95 cronSchedule', 'temporal/a.ts', `start({ cronSchedule: '* * * * *' });`, 'cron-schedule'],
    ['cronSchedule set later', 'temporal/a.ts', `options.cronSchedule = '* * * * *';`, 'cron-schedule'],
    ['a default export', 'domain/a.ts', 'export default 1;', 'default-export'],
    ['a default export by name', 'domain/a.ts', 'const a = 1; export { a as default };', 'default-export'],
    ['an enum', 'domain/a.ts', 'export enum A { B }', 'enum'],
    ['a file of leftovers', 'domain/utils.ts', '', 'file-name'],
    ['a folder of leftovers', 'api/helpers/a.ts', '', 'file-name'],
    ['a name in camel case', 'domain/removalPlan.ts', '', 'file-name'],
    ['a file that cannot be read', 'domain/a.ts', 'export const = 1;', 'syntax'],
  ])('%s', (_name, file, text, rule) => {
    expect(checkSource(file, text, walls).map((violation) => violation.rule)).toEqual([rule]);
  });

  test('the line', () => {
    const text = `\n\nimport { z } from 'zod';\n`;
    expect(checkSource('domain/a.ts', text, walls)).toMatchObject([{ file: 'domain/a.ts', line: 3 }]);
  });
});

describe('the checker allows', () => {
  test.each<[string, string, string]>([
    ['types where types only', 'workflows/a.ts', `import type { Activities } from '../activities/index.ts';`],
    ['a type re-export', 'contract/a.ts', `export type { Verdict } from '../domain/verdict.ts';`],
    ['the own room', 'ledger/a.ts', `import { b } from './migrations/b.ts';`],
    [
      'the registry port in registry-load',
      'sources/registry-load/a.ts',
      `import type { R } from '../../registries/r.ts';`,
    ],
    ['delta in the embedded registry', 'registries/embedded/a.ts', `import { a } from '../../delta/a.ts';`],
    ['the client in apply.ts', 'schedules/apply.ts', `import { Client } from '@temporalio/client';`],
    ['a sub-path', 'ledger/a.ts', `import { drizzle } from 'drizzle-orm/node-postgres';`],
    ['a type of a package that is for types', 'temporal/a.ts', `import type { Context } from '@temporalio/activity';`],
    ['built-ins', 'delta/a.ts', `import { randomUUID } from 'node:crypto';`],
    ['the environment in config', 'config/a.ts', 'export const home = process.env.HOME;'],
    ['the clock elsewhere', 'main/a.ts', 'export const now = () => Date.now();'],
    ['a Date from an argument', 'domain/a.ts', 'export const date = (ms: number) => new Date(ms);'],
    ['forbidden words in text', 'domain/a.ts', `export const text = "import x from 'zod'; process.env Date.now()";`],
    ['any dependency in main', 'main/cli.ts', `import { Command } from 'commander';`],
  ])('%s', (_name, file, text) => {
    expect(checkSource(file, text, walls)).toEqual([]);
  });
});

function readTable(text: string): Walls['rooms'] {
  const meaning: Record<string, Wall> = { y: 'yes', T: 'types', '-': 'no' };
  const [head = '', ...rows] = text.trim().split('\n');
  const columns = head.trim().split(/\s+/).slice(3); // after `from \ to`
  return Object.fromEntries(
    rows.map((row) => {
      const [from = '', ...cells] = row.trim().split(/\s+/);
      if (cells.length !== columns.length) throw new Error(`row ${from} has ${cells.length} cells`);
      return [from, Object.fromEntries(columns.map((to, i) => [to, meaning[cells[i] ?? ''] ?? 'no']))];
    }),
  );
}

function dependencies(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('dependencies' in manifest)) return [];
  return Object.keys(manifest.dependencies ?? {});
}

function sourceFiles(): string[] {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(join(root, 'src'), join(entry.parentPath, entry.name)).split(sep).join('/'));
}

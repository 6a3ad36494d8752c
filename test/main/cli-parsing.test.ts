import { describe, expect, test } from 'vitest';
import { cliDefaults } from '../../src/config/cli-defaults.ts';
import { futureTime } from '../../src/main/program/arguments.ts';
import { t0 } from '../ledger/seed.ts';
import { runCli } from './run-cli.ts';

// nobody listens there: port 0 is no port
const nowhere = 'http://127.0.0.1:0';
const cli = (...args: readonly string[]) => runCli(args, nowhere);

describe('a command line that is wrong', () => {
  test.each<[string, readonly string[], string]>([
    ['no command', [], 'Name a command'],
    ['an unknown command', ['frobnicate'], 'unknown command'],
    ['no catalog', ['stale'], "missing required argument 'catalog'"],
    ['an unknown option', ['stale', 'a/b', '--all'], "unknown option '--all'"],
    ['a limit that is no number', ['stale', 'a/b', '--limit', 'many'], 'whole number from 1'],
    ['a limit of nothing', ['rounds', 'a/b', '--limit', '0'], 'whole number from 1'],
    ['half a limit', ['removals', 'a/b', '--limit', '1.5'], 'whole number from 1'],
    ['a port that cannot be', ['up', '--port', '65536'], 'whole number from 0 to 65535'],
    ['a date that is none', ['keep', 'a/b', 'c', '--until', 'tomorrow'], 'It takes a date'],
    ['a day that is over', ['keep', 'a/b', 'c', '--until', '2020-01-01'], 'in the future'],
    ['an end for an approval', ['approve', 'a/b', 'c', '--until', '2030-01-01'], 'unknown option'],
    ['a pause without a reason', ['pause', 'a/b'], "'--reason <text>' not specified"],
    ['an override without bounds', ['override', 'a/b', '--reason', 'x'], 'An override takes --max, --for and --reason'],
    ['neither paths nor all', ['approve', 'a/b'], 'Give the paths to decide on, or --all'],
    ['both paths and all', ['approve', 'a/b', 'c', '--all'], 'Give the paths to decide on, or --all'],
    ['an address that is none', ['catalogs', '--api', 'localhost:8080'], 'no address of an API'],
    ['a name that cannot be written down', ['catalogs', '--as', 'a\tb'], '--as takes a name'],
    ['a catalog of three parts', ['stale', 'a/b/c'], 'too many parts'],
    ['a catalog without a name', ['stale', 'a/'], 'names no catalog'],
    ['a bare percent sign', ['stale', 'lake/50%off'], 'Did you mean lake/50%25off?'],
    ['schedules without a verb', ['schedules'], 'apply'],
  ])('%s', async (_what, args, said) => {
    const { code, out, err } = await cli(...args);
    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(said);
    expect(out).toBe('');
  });
});

test('a path with a bare percent sign is asked back before anything is decided', async () => {
  const { code, err } = await cli('approve', 'a/b', 'sales/50%off');
  expect([code, err]).toEqual([2, expect.stringContaining('Did you mean sales/50%25off?')]);
});

test('nobody answering is told apart from a refusal, with what to do', async () => {
  const { code, out, err } = await cli('catalogs');
  expect([code, out]).toEqual([3, '']);
  expect(err).toContain(`Nothing answers at ${nowhere}`);
  expect(err).toContain('npm start');
});

describe('help and version', () => {
  test('go to the result, and are no error', async () => {
    const help = await cli('--help');
    expect([help.code, help.err]).toEqual([0, '']);
    const commands = [
      'up',
      'api',
      'worker',
      'import',
      'reconcile',
      'stale',
      'approve',
      'reject',
      'keep',
      'repoint',
      'restore',
      'schedules',
    ];
    for (const command of commands) expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(await cli('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect((await cli('keep', '--help')).out).toContain('--until <date>');
  });
});

describe('times of --until', () => {
  test.each([
    ['2030-01-31', Date.UTC(2030, 0, 31)],
    ['2030-01-31T18:00Z', Date.UTC(2030, 0, 31, 18)],
    ['2030-01-31T18:00:30+02:00', Date.UTC(2030, 0, 31, 16, 0, 30)],
  ])('%s', (text, at) => {
    expect(futureTime(() => t0)(text)).toBe(at);
  });
});

test('the API is where RECONCILER_API says; a variable that is set to nothing is not set', () => {
  expect(cliDefaults({ RECONCILER_API: 'https://reconciler.example' })).toEqual({
    api: 'https://reconciler.example',
    apiNamed: true,
  });
  for (const environment of [{}, { RECONCILER_API: '' }]) {
    expect(cliDefaults(environment)).toEqual({ api: 'http://127.0.0.1:8080' });
  }
});

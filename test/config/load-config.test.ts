import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/problem.ts';
import { loading, problemsOf } from './loading.ts';

describe('the configuration', () => {
  test('is complete without a file and without variables', () => {
    const config = loading('');
    expect(config.server).toEqual({
      host: '127.0.0.1',
      port: 8080,
      requestsPerMinute: 12_000,
      requestsInFlight: 256,
    });
    expect(config.dataDir).toBe('/srv/here/.catalog-reconciler');
    expect(config.temporal).toMatchObject({ namespace: 'default', port: 7233, uiPort: 8233 });
    expect(config.ledger).toBeUndefined();
    expect(config.catalogs).toEqual([]);
  });

  test('takes values from the file, and from variables before that', () => {
    const config = loading('server: {port: 9000, host: 127.0.0.2}\nlogLevel: warn', { RECONCILER_SERVER_PORT: '9001' });
    expect(config.server).toMatchObject({ host: '127.0.0.2', port: 9001 });
    expect(config.logLevel).toBe('warn');
  });

  test.each([
    ['a number', 'RECONCILER_RECONCILE_MISSES', '3', { misses: 3 }],
    ['yes', 'RECONCILER_RECONCILE_ENABLED', 'true', { enabled: true }],
    ['yes as a bit', 'RECONCILER_RECONCILE_ENABLED', '1', { enabled: true }],
    ['a number that looks like a bit', 'RECONCILER_RECONCILE_REMOVAL_BURST', '1', { removalBurst: 1 }],
    ['a list', 'RECONCILER_RECONCILE_EXCLUDE', '["a/**", b]', { exclude: ['a/**', 'b'] }],
    ['a nested key', 'RECONCILER_RECONCILE_GUARD_MIN_COUNT', '0', { guard: { minCount: 0 } }],
    ['nothing', 'RECONCILER_RECONCILE_MISSES', '', {}],
  ])('reads %s from a variable', (_name, variable, text, reconcile) => {
    expect(loading('', { [variable]: text }).reconcile).toEqual(reconcile);
  });

  test('is frozen to the last list', () => {
    const config = loading('reconcile: {exclude: [a], guard: {minCount: 1}}');
    for (const part of [config, config.server, config.reconcile, config.reconcile.guard, config.reconcile.exclude]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test('may have empty sections, as when every key in them is a comment', () => {
    expect(loading('reconcile:\nmetalakes:\n  lake:\n').metalakes).toEqual([{ name: 'lake', registry: 'embedded' }]);
  });

  test('is read from the file that RECONCILER_CONFIG names', () => {
    expect(loading('logLevel: debug', { RECONCILER_CONFIG: 'other.yaml' }, { file: undefined })).toMatchObject({
      file: 'other.yaml',
      logLevel: 'debug',
    });
  });

  test('refuses a file that is not there', () => {
    const readFile = () => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    };
    expect(() => loading('', {}, { readFile })).toThrow(/conf\.yaml: cannot be read: ENOENT/);
  });
});

describe('a mistake is refused with its full key, its line and the mend', () => {
  test.each([
    [
      'an unknown key',
      'reconcile: {intervalSec: 5}',
      'reconcile.intervalSec',
      /Did you mean reconcile\.intervalSecs\?/,
    ],
    ['another spelling', 'reconcile: {interval_secs: 5}', 'reconcile.interval_secs', /reconcile\.intervalSecs\?/],
    ['a forgotten unit', 'reconcile: {grace: 5}', 'reconcile.grace', /reconcile\.graceSecs\?/],
    ['a key in the wrong place', 'intervalSecs: 60', 'intervalSecs', /Did you mean reconcile\.intervalSecs/],
    ['a key that is like no other', 'reconcile: {zzz: 1}', 'reconcile.zzz', /is no key\. Known here: enabled, /],
    ['a key of a catalog', lake('colour: red'), 'metalakes.lake.catalogs.shop.colour', /is no key/],
    ['a name with a dot', 'metalakes: {"a.b": {x: 1}}', 'metalakes."a.b".x', /is no key/],
    ['a number too small', 'reconcile: {intervalSecs: 9}', 'reconcile.intervalSecs', /^9 is not accepted.*at least 10/],
    ['a number in quotes', 'reconcile: {misses: "2"}', 'reconcile.misses', /^"2" is not accepted.*whole number/],
    ['B16 a single miss', 'reconcile: {misses: 1}', 'reconcile.misses', /whole number from 2 to 100/],
    ['half a number', 'reconcile: {misses: 1.5}', 'reconcile.misses', /whole number from 2 to 100/],
    ['no value', 'reconcile: {misses: }', 'reconcile.misses', /has no value.*or take the line out/],
    ['a value in place of a section', 'reconcile: true', 'reconcile', /takes keys below it \(enabled, /],
    ['the guard turned off', 'reconcile: {guard: off}', 'reconcile.guard', /no way to turn the guard off/],
    ['the guard widened', 'reconcile: {guard: {maxSharePercent: 100}}', 'reconcile.guard.maxSharePercent', /0 to 50/],
    ['an unknown policy', 'reconcile: {policy: delete}', 'reconcile.policy', /`report-only` or `auto-remove`/],
    ['a registry of later', 'metalakes: {m: {registry: unity}}', 'metalakes.m.registry', /comes in a later version/],
    ['a source of later', lake('provider: kafka'), 'metalakes.lake.catalogs.shop.provider', /comes in a later version/],
    ['a pattern', 'reconcile: {protect: [a, "b["]}', 'reconcile.protect[1]', /"b\[" cannot be read.*\]/],
    ['an empty pattern', 'reconcile: {exclude: [""]}', 'reconcile.exclude[0]', /"" is empty/],
    ['a cron expression', 'reconcile: {cron: "0 3 * *"}', 'reconcile.cron', /five fields/],
    ['both ways to say when', 'reconcile: {cron: "0 3 * * *", intervalSecs: 60}', 'reconcile.cron', /intervalSecs/],
  ])('%s', (_name, yaml, key, text) => {
    const [problem, ...others] = problemsOf(`# a comment\n${yaml}`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ where: 'conf.yaml:2', key, text: expect.stringMatching(text) });
  });

  test.each([
    ['a bad value', { RECONCILER_SERVER_PORT: 'eighty' }, 'server.port', /^"eighty" is not accepted/],
    ['a misspelt variable', { RECONCILER_SEVER_PORT: '80' }, undefined, /Did you mean RECONCILER_SERVER_PORT\?/],
    [
      'an unknown one',
      { RECONCILER_RECONCILE_GRACE: '80' },
      undefined,
      /Did you mean RECONCILER_RECONCILE_GRACE_SECS\?/,
    ],
  ])('in the environment: %s', (_name, environment, key, text) => {
    const [problem, ...others] = problemsOf('', environment);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ where: Object.keys(environment)[0], text: expect.stringMatching(text) });
    expect(problem?.key).toBe(key);
  });

  test('all of them at once, in the order of the file', () => {
    const yaml = 'reconcile:\n  misses: 0\n  graze: 1\nserver:\n  port: x\n';
    expect(problemsOf(yaml, { RECONCILER_LOG_LEVEL: 'loud' })).toHaveLength(4);
    const message = new ConfigError(problemsOf(yaml, { RECONCILER_LOG_LEVEL: 'loud' })).message;
    expect(message.split('\n').map((line) => line.trim().split(' ')[0])).toEqual([
      'The',
      'conf.yaml:2',
      'conf.yaml:3',
      'conf.yaml:5',
      'RECONCILER_LOG_LEVEL',
    ]);
  });
});

describe('the environment may hold', () => {
  test.each([
    ['what Kubernetes says about a service', 'RECONCILER_SERVER_SERVICE_HOST', '10.0.0.1'],
    ['the address of a service', 'RECONCILER_RECONCILE_PORT', 'tcp://10.0.0.1:80'],
    ['a variable of something else', 'RECONCILER_API_URL', 'http://127.0.0.1:8080'],
  ])('%s', (_name, variable, value) => {
    expect(problemsOf('', { [variable]: value })).toEqual([]);
  });
});

test('secrets are shown by nothing', () => {
  const environment = {
    SECRET: 'hunter2',
    RECONCILER_LEDGER_URL: 'postgres://u:hunter2@h/d',
    TEMPORAL_API_KEY: 'hunter2',
  };
  const config = loading(lake('password: {env: SECRET}'), environment);
  expect(config.catalogs[0]?.secrets['password']?.reveal()).toBe('hunter2');
  expect(config.ledger?.url.reveal()).toContain('hunter2');
  const everywhere = [
    inspect(config, { depth: 20, showHidden: true }),
    JSON.stringify(config),
    config.ledger?.url.toString(),
  ];
  expect(everywhere.join('\n')).not.toContain('hunter2');
});

function lake(lines: string): string {
  const provider = lines.startsWith('provider') ? '' : 'provider: postgresql, ';
  return `metalakes: {lake: {catalogs: {shop: {${provider}connection: {host: h, database: d, user: u}, ${lines}}}}}`;
}

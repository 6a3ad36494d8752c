import { describe, expect, test } from 'vitest';
import { loading, problemsOf } from './loading.ts';

describe('the database of the ledger', () => {
  test.each([
    ['without a password', 'ledger: {url: "postgres://u@h/d"}', {}, 'postgres://u@h/d'],
    [
      'with one kept elsewhere',
      'ledger: {url: "postgres://u@h/d", password: {env: P}}',
      { P: 'a/b%c@d' },
      'postgres://u:a%2Fb%25c%40d@h/d',
    ],
    ['from a variable', '', { RECONCILER_LEDGER_URL: 'postgres://u:p@h/d' }, 'postgres://u:p@h/d'],
    [
      'in two variables',
      '',
      { RECONCILER_LEDGER_URL: 'postgres://u@h/d', RECONCILER_LEDGER_PASSWORD: '{x}' },
      'postgres://u:%7Bx%7D@h/d',
    ],
    ['as a whole kept elsewhere', 'ledger: {url: {env: P}}', { P: 'postgres://u:p@h/d\n' }, 'postgres://u:p@h/d'],
  ])('is found %s', (_name, yaml, environment, url) => {
    const { ledger } = loading(yaml, environment);
    expect(ledger?.url.reveal()).toBe(url);
    expect(ledger?.shown).toBe('h/d');
  });

  test.each([
    ['a password alone', 'ledger: {password: {env: P}}', 'ledger.password', /without url/],
    ['two passwords', 'ledger: {url: {env: U}, password: {env: P}}', 'ledger.password', /Take one out/],
    ['a password in the file', 'ledger: {url: "postgres://u:p@h/d"}', 'ledger.url', /has a password in it/],
    ['no address', 'ledger: {url: "somewhere"}', 'ledger.url', /is no address/],
    ['no host', 'ledger: {url: "postgres:///d"}', 'ledger.url', /names no host/],
  ])('is refused: %s', (_name, yaml, key, text) => {
    const environment = { U: 'postgres://u:hunter2@h/d', P: 'hunter2' };
    expect(problemsOf(yaml, environment)).toMatchObject([{ key, text: expect.stringMatching(text) }]);
    expect(JSON.stringify(problemsOf(yaml, environment))).not.toContain('hunter2');
  });

  test('is another one than that of the registry and of the demo', () => {
    const config = loading('registry: {url: "postgres://u@r/d"}', { DEMO_SOURCE_URL: 'postgres://u:p@s/d' });
    expect(config.ledger).toBeUndefined();
    expect(config.registry?.shown).toBe('r/d');
    expect(config.demoSource?.url.reveal()).toBe('postgres://u:p@s/d');
  });
});

describe('the settings of the Temporal client', () => {
  const variables = (yaml: string, environment: Record<string, string>) =>
    loading(yaml, environment).temporal.client.reveal();

  test('are those of the file under their standard names, behind the variables', () => {
    const yaml = 'temporal: {address: "a:1", namespace: n, apiKey: {env: K}, tls: {enabled: true, caFile: /ca}}';
    expect(variables(yaml, { K: 'key', TEMPORAL_ADDRESS: 'b:2', TEMPORAL_GRPC_META_X: 'y', OTHER: 'z' })).toEqual({
      TEMPORAL_ADDRESS: 'b:2',
      TEMPORAL_NAMESPACE: 'n',
      TEMPORAL_API_KEY: 'key',
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/ca',
      TEMPORAL_GRPC_META_X: 'y',
    });
  });

  test('look into the home folder only for a profile that was asked for', () => {
    expect(variables('', { HOME: '/home/me' })).toEqual({});
    expect(variables('', { HOME: '/home/me', TEMPORAL_PROFILE: 'p' })).toEqual({
      HOME: '/home/me',
      TEMPORAL_PROFILE: 'p',
    });
  });
});

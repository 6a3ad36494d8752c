import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../support/self-signed.ts';
import { loading, problemsOf } from './loading.ts';

const secret = 'planted-0123456789abcdef';
const env = {
  TOKEN: secret,
  OTHER: 'another-0123456789abcdef',
  SHORT: 'too-short',
  SPACED: 'a token of several words',
};
const folder = mkdtempSync(join(tmpdir(), 'reconciler-auth-'));
afterAll(() => rm(folder, { recursive: true }));

const token = (name: string, from = '{env: TOKEN}', roles = '[viewer]') =>
  `{name: ${name}, token: ${from}, roles: ${roles}}`;
const jwt = (over: Record<string, string | undefined> = {}) => {
  const keys = { issuer: 'i', audience: 'a', jwksUrl: 'https://issuer.example/keys', ...over };
  const lines = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
  return `auth: {jwt: {${lines.join(', ')}}}`;
};
const told = (yaml: string, options: Parameters<typeof problemsOf>[2] = {}) =>
  problemsOf(yaml, env, options).map(({ key, text }) => `${key}: ${text}`);

describe('credentials', () => {
  test('none are configured where none are written, and then signals count', () => {
    expect(loading('').auth).toEqual({ hasCredentials: false, tokens: [], allowTemporalSignals: true });
    expect(loading('auth: {allowTemporalSignals: false}').auth).toMatchObject({
      hasCredentials: false,
      allowTemporalSignals: false,
    });
  });

  test('are tokens by reference, and signals do not count unless that is said', () => {
    const { auth } = loading(`auth: {tokens: [${token('ada', '{env: TOKEN}', '[viewer, operator]')}]}`, env);
    expect(auth).toMatchObject({ hasCredentials: true, allowTemporalSignals: false });
    expect(auth.tokens.map(({ principal }) => principal)).toEqual([{ name: 'ada', roles: ['viewer', 'operator'] }]);
    expect(auth.tokens[0]?.token.reveal()).toBe(secret);
    expect(JSON.stringify(auth)).not.toContain(secret);
    expect(
      loading(`auth: {allowTemporalSignals: true, tokens: [${token('ada')}]}`, env).auth.allowTemporalSignals,
    ).toBe(true);
  });

  test('come from a variable as well', () => {
    const { auth } = loading('', {
      ...env,
      RECONCILER_AUTH_TOKENS: `[${token('ada')}, ${token('ada', '{env: OTHER}')}]`,
    });
    expect(auth.tokens.map(({ principal }) => principal.name)).toEqual(['ada', 'ada']);
  });

  test('are signed tokens of an issuer', () => {
    expect(loading(jwt()).auth.jwt).toEqual({
      issuer: 'i',
      audience: 'a',
      keys: { url: 'https://issuer.example/keys' },
      clockSkewSecs: 60,
      principalClaim: 'sub',
      rolesClaim: 'roles',
    });
    const readFile = (path: string) => (path.endsWith('keys.json') ? '{"keys": [{"kty": "EC"}]}' : file);
    const file = jwt({ jwksUrl: undefined, jwksFile: 'keys.json', rolesClaim: 'groups' });
    expect(loading(file, {}, { readFile }).auth.jwt).toMatchObject({
      keys: { set: [{ kty: 'EC' }] },
      rolesClaim: 'groups',
    });
  });

  test.each<[string, string, RegExp]>([
    ['an empty list', 'auth: {tokens: []}', /auth.tokens: is empty/],
    ['a token in plain text', `auth: {tokens: [${token('ada', secret)}]}`, /auth.tokens.*is not accepted/],
    ['a role that is none', `auth: {tokens: [${token('ada', '{env: TOKEN}', '[admin]')}]}`, /`viewer`/],
    ['a variable that is not set', `auth: {tokens: [${token('ada', '{env: NONE}')}]}`, /NONE, which is not set/],
    ['one that can be guessed', `auth: {tokens: [${token('ada', '{env: SHORT}')}]}`, /shorter than 16/],
    ['one that no header carries', `auth: {tokens: [${token('ada', '{env: SPACED}')}]}`, /Authorization header/],
    ['one of two people', `auth: {tokens: [${token('ada')}, ${token('bob')}]}`, /token of ada as well/],
    ['the name of unattended work', `auth: {tokens: [${token('Reconciler')}]}`, /name of unattended work/],
    ['an issuer alone', 'auth: {jwt: {issuer: i}}', /auth.jwt: lacks audience, jwksUrl/],
    ['no issuer', jwt({ issuer: undefined }), /auth.jwt: lacks issuer/],
    ['no audience', jwt({ audience: undefined }), /auth.jwt: lacks audience/],
    ['two sets of keys', jwt({ jwksFile: 'keys.json' }), /jwksFile: cannot stand beside jwksUrl/],
    ['keys that others could change on their way', jwt({ jwksUrl: 'http://issuer.example/keys' }), /jwksUrl: is not/],
    ['a host that only looks local', jwt({ jwksUrl: 'http://127.0.0.1.example/keys' }), /jwksUrl: is not accepted/],
    ['an address with a password', jwt({ jwksUrl: 'https://u:p@issuer.example/' }), /jwksUrl: is not accepted/],
    ['a key file that is none', jwt({ jwksUrl: undefined, jwksFile: 'keys.json' }), /keys.json, which is no key set/],
  ])('are refused with %s', (_what, yaml, problem) => {
    const all = told(yaml);
    expect(all).toEqual([expect.stringMatching(problem)]);
    for (const value of Object.values(env)) expect(all.join()).not.toContain(value);
  });

  test.each(['http://localhost:8081/keys', 'http://127.0.0.1/keys', 'http://[::1]/keys'])(
    'keys may be at %s',
    (url) => {
      expect(told(jwt({ jwksUrl: `"${url}"` }))).toEqual([]);
    },
  );
});

describe('without credentials', () => {
  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '"::1"'])('the API listens on %s', (host) => {
    expect(told(`server: {host: ${host}}`)).toEqual([]);
  });

  test.each(['0.0.0.0', '"::"', '10.0.0.1', 'example.com', '127.0.0.1.example.com', 'localhost.example.com'])(
    'it does not listen on %s, and says why and what to do',
    (host) => {
      const [problem, ...others] = told(`server: {host: ${host}}`);
      expect(problem).toMatch(/server.host: .*no credential is configured.*auth.tokens or auth.jwt.*127\.0\.0\.1/);
      expect(others).toEqual([]);
      expect(told(`server: {host: ${host}}\nauth: {tokens: [${token('ada')}]}`)).toEqual([]);
    },
  );

  test('that are only misspelt, the misspelling is told', () => {
    expect(told('server: {host: 0.0.0.0}\nauth: {tokens: [{name: ada}]}').join()).not.toMatch(/server.host/);
  });
});

describe('server.tls', () => {
  const readFile = (yaml: string) => (path: string) => (path.endsWith('conf.yaml') ? yaml : readFileSync(path, 'utf8'));
  const tls = (certFile: string, keyFile: string) => `server: {tls: {certFile: ${certFile}, keyFile: ${keyFile}}}`;

  test('is a certificate and its key, which is a secret', async () => {
    const { certificate, key } = await selfSigned(folder, 'localhost', undefined);
    const yaml = tls(certificate, key);
    const { server } = loading(yaml, {}, { readFile: readFile(yaml) });
    expect(server.tls?.cert).toContain('BEGIN CERTIFICATE');
    expect(server.tls?.key.reveal()).toContain('PRIVATE KEY');
    expect(JSON.stringify(server)).not.toContain('PRIVATE KEY');
    for (const [wrong, problem] of [
      [tls(certificate, certificate), /server.tls: cannot be used/],
      [tls(certificate, '/no/such/file'), /server.tls.keyFile: names \/no\/such\/file, which cannot be read: ENOENT/],
      [`server: {tls: {certFile: ${certificate}}}`, /server.tls: lacks keyFile/],
    ] as const) {
      const problems = problemsOf(wrong, {}, { readFile: readFile(wrong) });
      expect(problems.map(({ key: where, text }) => `${where}: ${text}`)).toEqual([expect.stringMatching(problem)]);
    }
  });
});

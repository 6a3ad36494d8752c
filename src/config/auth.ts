import { resolve } from 'node:path';
import { reconciler } from '../domain/actor.ts';
import { isSamePerson } from '../domain/four-eyes.ts';
import { authSettings } from './auth-settings.ts';
import type { AuthConfig, JwtConfig, TokenConfig } from './config.ts';
import { resolveSecret } from './databases.ts';
import { isLoopback } from './loopback.ts';
import type { Report } from './problem.ts';
import { reasonOf, type SecretSource } from './secret-source.ts';
import type { Given } from './setting.ts';

type AuthGiven = Given<typeof authSettings>;
type JwtGiven = NonNullable<AuthGiven['jwt']>;

/** Shorter ones are guessed; 16 random characters are about 96 bits. */
const shortestToken = 16;

/** What may stand behind `Bearer` (RFC 6750), up to what fits a header. */
const sendable = /^[A-Za-z0-9._~+/-]{1,4096}=*$/;

const names = authSettings.keys.jwt.keys;

/** Who may use the API, references followed. What is wrong is reported, and left out. */
export function resolveAuth(given: AuthGiven, source: SecretSource, report: Report): AuthConfig {
  const tokens = resolveTokens(given.tokens, source, report);
  const jwt = given.jwt === undefined ? undefined : resolveJwt(given.jwt, source, report);
  const hasCredentials = given.tokens !== undefined || given.jwt !== undefined;
  return {
    hasCredentials,
    tokens,
    ...(jwt === undefined ? {} : { jwt }),
    allowTemporalSignals: given.allowTemporalSignals ?? !hasCredentials,
  };
}

function resolveTokens(given: AuthGiven['tokens'], source: SecretSource, report: Report): readonly TokenConfig[] {
  if (given?.length === 0) {
    report(['auth', 'tokens'], 'is empty, which lets nobody in and looks like everybody. Name a token, or take it out');
  }
  const owners = new Map<string, string>();
  return (given ?? []).flatMap(({ name, token: reference, roles }, at) => {
    const key = ['auth', 'tokens', String(at)];
    if (isSamePerson({ name }, reconciler)) {
      report(key, `is called ${name}, the name of unattended work. Choose another one`);
    }
    const token = resolveSecret(reference, [...key, 'token'], source, report);
    if (token === undefined) return [];
    const problem = tokenProblem(token.reveal(), name, owners);
    if (problem !== undefined) report([...key, 'token'], problem);
    return [{ principal: { name, roles: [...new Set(roles)] }, token }];
  });
}

/** @param owners whose each token is so far */
function tokenProblem(token: string, name: string, owners: Map<string, string>): string | undefined {
  if (token.length < shortestToken) {
    return `is shorter than ${shortestToken} characters and could be guessed. Take a random one: openssl rand -hex 32`;
  }
  if (!sendable.test(token)) {
    return 'holds what no Authorization header carries. Take letters and digits: openssl rand -hex 32';
  }
  const owner = owners.get(token);
  owners.set(token, name);
  return owner === undefined ? undefined : `is the token of ${owner} as well. Give each entry one of its own`;
}

function resolveJwt(given: JwtGiven, source: SecretSource, report: Report): JwtConfig | undefined {
  const { issuer, audience, jwksUrl, jwksFile } = given;
  const lacking = Object.entries({ issuer, audience }).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (jwksUrl === undefined && jwksFile === undefined) lacking.push('jwksUrl (or jwksFile)');
  if (lacking.length > 0) {
    report(['auth', 'jwt'], `lacks ${lacking.join(', ')}. Without, tokens of anybody could be taken for the issuer's`);
  }
  if (jwksUrl !== undefined && jwksFile !== undefined) {
    report(['auth', 'jwt', 'jwksFile'], 'cannot stand beside jwksUrl. Take one out');
  }
  const keys = jwksUrl === undefined ? keysInFile(jwksFile, source, report) : keysAt(jwksUrl, report);
  if (issuer === undefined || audience === undefined || keys === undefined) return undefined;
  return {
    issuer,
    audience,
    keys,
    clockSkewSecs: given.clockSkewSecs ?? names.clockSkewSecs.fallback,
    principalClaim: given.principalClaim ?? names.principalClaim.fallback,
    rolesClaim: given.rolesClaim ?? names.rolesClaim.fallback,
  };
}

/** Whoever can change the keys on their way can be anybody. */
function keysAt(text: string, report: Report): JwtConfig['keys'] | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const secure = url?.protocol === 'https:';
  const local = url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  if ((secure || local) && url?.username === '' && url.password === '') return { url: url.href };
  report(['auth', 'jwt', 'jwksUrl'], `is not accepted. Write ${names.jwksUrl.expects}, without a password in it`);
  return undefined;
}

function keysInFile(file: string | undefined, source: SecretSource, report: Report): JwtConfig['keys'] | undefined {
  if (file === undefined) return undefined;
  const key = ['auth', 'jwt', 'jwksFile'];
  let text: string;
  try {
    text = source.readFile(resolve(source.cwd, file));
  } catch (error) {
    report(key, `names ${file}, which cannot be read: ${reasonOf(error)}`);
    return undefined;
  }
  const keys = parsedKeys(text);
  if (keys === undefined) report(key, `names ${file}, which is no key set: {"keys": [{"kty": …}, …]}`);
  return keys === undefined ? undefined : { set: keys };
}

function parsedKeys(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const keys: unknown = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined;
  const sound = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'object' && key !== null);
  return sound ? (keys as readonly Readonly<Record<string, unknown>>[]) : undefined;
}

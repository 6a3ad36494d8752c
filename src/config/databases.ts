import type { DatabaseSettings } from './config.ts';
import { parseDatabaseAddress, shownAddress, withPassword } from './database-address.ts';
import type { Report } from './problem.ts';
import { Secret } from './secret.ts';
import { findSecret, type SecretSource } from './secret-source.ts';
import type { DatabaseAddress, SecretReference } from './value-shapes.ts';

interface DatabaseGiven {
  readonly url?: DatabaseAddress;
  readonly password?: SecretReference;
}

/** Follows the references of an address and its password and joins the two; `undefined` without an address. */
export function resolveDatabase(
  { url, password }: DatabaseGiven,
  key: readonly string[],
  source: SecretSource,
  report: Report,
): DatabaseSettings | undefined {
  if (url === undefined) {
    if (password !== undefined) report([...key, 'password'], 'is of no use without url. Write both, or neither');
    return undefined;
  }
  const address = resolveAddress(url, [...key, 'url'], source, report);
  const secret = resolveSecret(password, [...key, 'password'], source, report);
  if (address === undefined || (secret === undefined && password !== undefined)) return undefined;
  if (secret !== undefined && address.password !== undefined) {
    report([...key, 'password'], 'stands beside a url that has a password. Take one out');
    return undefined;
  }
  const whole = secret === undefined ? address.text : withPassword(address.text, secret.reveal());
  return { url: new Secret(whole), shown: shownAddress(address.text) };
}

export function resolveSecret(
  reference: SecretReference | undefined,
  key: readonly string[],
  source: SecretSource,
  report: Report,
): Secret | undefined {
  if (reference === undefined) return undefined;
  const found = findSecret(reference, source);
  if ('secret' in found) return found.secret;
  report(key, found.problem);
  return undefined;
}

/** An address with its parts. A password may be in it only where it came from a place that keeps secrets. */
export function resolveAddress(given: DatabaseAddress, key: readonly string[], source: SecretSource, report: Report) {
  const text = typeof given === 'string' ? given : resolveSecret(given, key, source, report)?.reveal().trim();
  if (text === undefined) return undefined;
  const parts = parseDatabaseAddress(text);
  if ('problem' in parts) {
    report(key, parts.problem);
    return undefined;
  }
  if (typeof given === 'string' && parts.password !== undefined) {
    report(
      key,
      'has a password in it. Take it out and write password: {env: NAME} beside it, or keep the whole url in {file: PATH}',
    );
    return undefined;
  }
  return { ...parts, text };
}

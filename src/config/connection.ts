import type { CatalogGiven } from './catalogs.ts';
import type { CatalogConfig } from './config.ts';
import { resolveAddress, resolveSecret } from './databases.ts';
import type { Report } from './problem.ts';
import { Secret } from './secret.ts';
import type { SecretSource } from './secret-source.ts';

/**
 * How to reach a catalog's database, in one form whichever way it was written. What is wrong is reported; `undefined` then,
 * or where something needed was invalid and has been reported already.
 */
export function databaseConnectionOf(
  given: CatalogGiven,
  key: readonly string[],
  source: SecretSource,
  report: Report,
): Pick<CatalogConfig, 'settings' | 'secrets'> | undefined {
  const { url, ...parts } = given.connection ?? {};
  for (const name of Object.keys(parts).filter((each) => !known.has(each))) {
    report([...key, 'connection', name], 'is of no use for PostgreSQL. Take it out');
  }
  for (const name of ['secretAccessKey', 'sessionToken'] as const) {
    if (given[name] !== undefined) report([...key, name], 'is of no use for PostgreSQL. Take it out');
  }
  const secret = resolveSecret(given.password, [...key, 'password'], source, report);
  const address = url === undefined ? undefined : resolveAddress(url, [...key, 'connection', 'url'], source, report);
  if (url !== undefined && address === undefined) return undefined;
  if (address !== undefined && Object.keys(parts).length > 0) {
    const others = Object.keys(parts).join(', ');
    report([...key, 'connection', 'url'], `cannot stand beside ${others}. Write either the url or its parts`);
  }
  if (address?.password !== undefined && given.password !== undefined) {
    report([...key, 'password'], 'stands beside a url that has a password. Take one out');
  }
  const written = address?.settings ?? textsOf(parts);
  const settings = { ...written, port: written['port'] ?? '5432' };
  const missing = needed.filter((name) => !Object.hasOwn(settings, name));
  if (missing.length > 0) {
    const what = url === undefined ? 'Write url, or host, database and user' : 'Complete the address';
    report([...key, 'connection', ...(url === undefined ? [] : ['url'])], `lacks ${missing.join(', ')}. ${what}`);
    return undefined;
  }
  const password = secret ?? (address?.password === undefined ? undefined : new Secret(address.password));
  return { settings, secrets: password === undefined ? {} : { password } };
}

function textsOf(parts: object): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, String(value)]));
}

/** Without a database, the one named after the user would answer, and every table of ours would be missing there. */
const needed = ['host', 'database', 'user'];
const known = new Set([...needed, 'port', 'sslmode']);

import { X509Certificate } from 'node:crypto';
import type { Config, JwtConfig } from '../../config/config.ts';
import { policyFor } from '../../config/policy-for.ts';
import type { ConfigError } from '../../config/problem.ts';
import { type Diagnosis, diagnosing, inTime, whyOf } from './diagnosis.ts';

const day = 24 * 3_600_000;
/** Long enough to renew a certificate without haste. */
const renewWithinMs = 30 * day;
/** Whoever waits longer for its keys will not let anybody in. */
const keysWithinMs = 5_000;

const file = diagnosing('configuration');
const credentials = diagnosing('credentials');

/** Every problem by itself: all of them keep a process from starting. */
export function brokenConfiguration({ problems }: ConfigError): readonly Diagnosis[] {
  return problems.map(({ where, key, text }) => ({
    area: 'configuration',
    subject: [where, key].filter(Boolean).join('  '),
    state: 'wrong',
    // it ends with what to write
    text,
  }));
}

/** What the configuration says, and what one may not have meant. */
export function soundConfiguration(config: Config): readonly Diagnosis[] {
  const { metalakes, catalogs } = config;
  const from = config.file ?? 'defaults and environment';
  const told = [file.ok(from, `${counted(metalakes.length, 'metalake')}, ${counted(catalogs.length, 'catalog')}`)];
  const effective = catalogs.map(({ metalake, catalog }) => ({
    name: `${metalake}/${catalog}`,
    ...policyFor(config, metalake, catalog),
  }));
  const off = effective.filter(({ enabled }) => !enabled);
  if (off.length > 0) {
    const all = off.length === effective.length ? 'every catalog' : someOf(off.map(({ name }) => name));
    told.push(file.warning('schedules', `off for ${all}`, 'set reconcile.enabled: true, then run `schedules apply`'));
  }
  const unattended = effective.filter(
    ({ policy }) => policy.mode === 'auto-remove' || Object.values(policy.modeByKind).includes('auto-remove'),
  );
  if (unattended.length > 0) {
    told.push(file.ok('policies', `remove without being asked: ${someOf(unattended.map(({ name }) => name))}`));
  }
  if ((config.ledger === undefined) !== (config.registry === undefined)) {
    const missing = config.ledger === undefined ? 'ledger.url' : 'registry.url';
    told.push(
      file.warning(missing, 'is not set, and the other database is', 'set both; `api` and `worker` need PostgreSQL'),
    );
  }
  return told;
}

/** Tokens, the issuer's keys and the certificate. That files are there and fit was checked when they were read. */
export async function credentialsOf(config: Config, now: number): Promise<readonly Diagnosis[]> {
  const { auth, server } = config;
  const told: Diagnosis[] = [];
  if (!auth.hasCredentials) {
    told.push(
      credentials.warning(
        'tokens',
        'none: whoever is on this machine may do everything',
        'for more than trying out, add auth.tokens or auth.jwt',
      ),
    );
  }
  if (auth.tokens.length > 0) {
    const names = auth.tokens.map(({ principal: { name, roles } }) => `${name} (${roles.join(', ') || 'no role'})`);
    told.push(credentials.ok('tokens', someOf(names)));
  }
  if (auth.jwt !== undefined) told.push(await issuerKeys(auth.jwt));
  if (server.tls !== undefined) told.push(certificate(server.tls.cert, now));
  return told;
}

async function issuerKeys({ issuer, keys }: JwtConfig): Promise<Diagnosis> {
  if ('set' in keys) return credentials.ok('auth.jwt', `${issuer}: ${counted(keys.set.length, 'key')} in the file`);
  const { url } = keys;
  try {
    const found = await inTime(keysWithinMs, async (signal) => {
      const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const body: unknown = await response.json();
      const listed: unknown = typeof body === 'object' && body !== null && 'keys' in body ? body.keys : undefined;
      if (!Array.isArray(listed) || listed.length === 0) throw new Error('the answer is no key set');
      return listed.length;
    });
    return credentials.ok('auth.jwt', `${issuer}: ${counted(found, 'key')} at ${url}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return credentials.wrong(
      'auth.jwt',
      `no keys at ${url}: ${whyOf(cause)}`,
      'check auth.jwt.jwksUrl; until then nobody gets in with a signed token',
    );
  }
}

function certificate(pem: string, now: number): Diagnosis {
  const { validFrom, validTo } = new X509Certificate(pem);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const until = new Date(to).toISOString().slice(0, 10);
  const renew = 'renew it and start the API again';
  if (now > to) return credentials.wrong('server.tls', `the certificate ended on ${until}`, renew);
  if (now < from) return credentials.wrong('server.tls', `the certificate holds from ${validFrom}`, 'check the clock');
  if (to - now < renewWithinMs) return credentials.warning('server.tls', `the certificate ends on ${until}`, renew);
  return credentials.ok('server.tls', `the certificate holds until ${until}`);
}

/** At most so many names in a line; a hundred would hide the rest of the report. */
const named = 5;

export function someOf(names: readonly string[]): string {
  const more = names.length - named;
  return `${names.slice(0, named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

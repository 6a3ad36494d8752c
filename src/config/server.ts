import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { ServerConfig, TlsConfig } from './config.ts';
import { isLoopback } from './loopback.ts';
import type { Report } from './problem.ts';
import { Secret } from './secret.ts';
import { reasonOf, type SecretSource } from './secret-source.ts';
import type { Given } from './setting.ts';
import { settings } from './settings.ts';

type ServerGiven = Given<typeof settings.keys.server>;

const fallbacks = settings.keys.server.keys;

/**
 * Where the API listens. Without credentials everybody who reaches it may do everything, so then nobody from outside
 * may reach it.
 */
export function resolveServer(
  given: ServerGiven,
  hasCredentials: boolean,
  source: SecretSource,
  report: Report,
): ServerConfig {
  const host = given.host ?? fallbacks.host.fallback;
  if (!hasCredentials && !isLoopback(host)) {
    report(
      ['server', 'host'],
      `lets others in (${host}), and no credential is configured, so all of them could do everything. Add auth.tokens or auth.jwt, or listen on 127.0.0.1`,
    );
  }
  const tls = resolveTls(given.tls ?? {}, source, report);
  return {
    host,
    port: given.port ?? fallbacks.port.fallback,
    requestsPerMinute: given.requestsPerMinute ?? fallbacks.requestsPerMinute.fallback,
    requestsInFlight: given.requestsInFlight ?? fallbacks.requestsInFlight.fallback,
    ...(tls === undefined ? {} : { tls }),
  };
}

function resolveTls(
  { certFile, keyFile }: NonNullable<ServerGiven['tls']>,
  source: SecretSource,
  report: Report,
): TlsConfig | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    report(['server', 'tls'], `lacks ${certFile === undefined ? 'certFile' : 'keyFile'}. Write both, or neither`);
    return undefined;
  }
  const read = (key: string, file: string): string | undefined => {
    try {
      return source.readFile(resolve(source.cwd, file));
    } catch (error) {
      report(['server', 'tls', key], `names ${file}, which cannot be read: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const cert = read('certFile', certFile);
  const key = read('keyFile', keyFile);
  if (cert === undefined || key === undefined) return undefined;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    report(
      ['server', 'tls'],
      `cannot be used: certificate and private key must be PEM and belong together (${reasonOf(error)})`,
    );
    return undefined;
  }
  return { cert, key: new Secret(key) };
}

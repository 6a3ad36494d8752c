import { type Environment, variable } from './environment.ts';
import { Secret } from './secret.ts';
import type { Given } from './setting.ts';
import type { settings } from './settings.ts';

type TemporalGiven = NonNullable<Given<typeof settings>['temporal']>;

/**
 * Connection settings under the names that all Temporal SDKs share. What the file says stands in for variables that are
 * not set. The profiles in a user's home folder are looked at only when one is asked for by name: nobody who tries us
 * out should find himself connected to production.
 */
export function temporalVariables(
  environment: Environment,
  { address, namespace, tls = {} }: TemporalGiven,
  apiKey: Secret | undefined,
): Secret<Record<string, string>> {
  const written: Readonly<Record<string, string | undefined>> = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_API_KEY: apiKey?.reveal(),
    TEMPORAL_TLS: tls.enabled === undefined ? undefined : String(tls.enabled),
    TEMPORAL_TLS_SERVER_NAME: tls.serverName,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: tls.caFile,
    TEMPORAL_TLS_CLIENT_CERT_PATH: tls.certFile,
    TEMPORAL_TLS_CLIENT_KEY_PATH: tls.keyFile,
  };
  const homes = variable(environment, 'TEMPORAL_PROFILE') === undefined ? [] : ['HOME', 'XDG_CONFIG_HOME', 'APPDATA'];
  const wanted = Object.keys(environment).filter((name) => name.startsWith('TEMPORAL_') || homes.includes(name));
  const variables: Record<string, string> = {};
  for (const name of new Set([...wanted, ...Object.keys(written)])) {
    // what the file says was already weighed against the variable of that name
    const value = written[name] ?? variable(environment, name);
    if (value !== undefined) variables[name] = value;
  }
  return new Secret(variables);
}

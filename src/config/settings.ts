import { z } from 'zod';
import { authSettings } from './auth-settings.ts';
import { metalakeSettings } from './catalog-settings.ts';
import { deltaSettings } from './delta-settings.ts';
import { reconcileSettings } from './reconcile-settings.ts';
import { named, section, setting } from './setting.ts';
import { DatabaseAddress, line, port, SecretReference, referenceText, wholeNumber, yesOrNo } from './value-shapes.ts';

const portNumber = 'a whole number from 0 to 65535; 0 takes any free port';
const address = 'an address without a password, or `{env: NAME}` or `{file: PATH}` for one with a password';
const path = (what: string) => setting(line, { about: what, expects: 'a path' });

const database = (what: string, folder: string) =>
  section(what, {
    url: setting(DatabaseAddress, {
      about: 'A PostgreSQL database: `postgresql://user@host:5432/database`. No password in plain text.',
      expects: address,
      fallbackText: `an embedded database in \`${folder}\``,
      secret: true,
    }),
    password: setting(SecretReference, {
      about: 'The password for that address. The variable holds the password itself.',
      expects: referenceText,
      secret: true,
    }),
  });

/** Every key there is. Documentation, errors and environment variables follow from it. */
export const settings = section('', {
  server: section('The API.', {
    host: setting(line, {
      about: 'The address to listen on. Anything but loopback lets others on the network in, and needs `auth`.',
      expects: 'a host name or an address',
      fallback: '127.0.0.1',
    }),
    port: setting(port, { about: 'The port to listen on.', expects: portNumber, fallback: 8080 }),
    requestsPerMinute: setting(wholeNumber(60, 1_000_000), {
      about:
        'Requests of one principal within a minute, or of one address where no token proves who asks. More are answered ' +
        '429, with the time to wait.',
      expects: 'a whole number from 60 to 1000000',
      fallback: 12_000,
    }),
    requestsInFlight: setting(wholeNumber(8, 10_000), {
      about: 'Requests that are answered at once, those that wait for a round included. More are answered 503.',
      expects: 'a whole number from 8 to 10000',
      fallback: 256,
    }),
    tls: section('Encryption (https). Read at start: after a renewal, start again.', {
      certFile: path('The certificate, PEM, with those that lead to its root below it.'),
      keyFile: path('Its private key, PEM, without a passphrase.'),
    }),
  }),
  auth: authSettings,
  dataDir: setting(line, {
    about: 'Everything that the embedded databases and the local Temporal server keep. One process at a time.',
    expects: 'a path',
    fallback: '.catalog-reconciler',
  }),
  logLevel: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    about: 'The least important messages that are still logged.',
    expects: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    fallback: 'info',
  }),
  metrics: section(
    'Prometheus metrics, which docs/metrics.md lists. The API serves its own at `/metrics`, on its own port.',
    {
      host: setting(line, {
        about: 'The address to serve the two below on. Nobody is asked who he is there.',
        expects: 'a host name or an address',
        fallback: '127.0.0.1',
      }),
      port: setting(port, {
        about: 'The port on which a process of `worker` serves `/metrics` and `/livez`.',
        expects: portNumber,
        fallbackText: 'none: not served',
      }),
      temporalPort: setting(wholeNumber(1, 65_535), {
        about: 'The port on which the Temporal SDK serves its own metrics, in `worker` and in `up`.',
        expects: 'a whole number from 1 to 65535',
        fallbackText: 'none: not served',
      }),
    },
  ),
  temporal: section(
    'The Temporal server. The standard `TEMPORAL_*` variables count before what is written here, and both before a ' +
      'profile that `TEMPORAL_PROFILE` or `TEMPORAL_CONFIG_FILE` names.',
    {
      address: setting(line, {
        about: 'Host and port of a running server.',
        expects: 'a host and a port, as in `temporal.example.com:7233`',
        fallbackText: '`npm start` runs a server of its own',
        env: 'TEMPORAL_ADDRESS',
      }),
      namespace: setting(line, {
        about:
          'The namespace to work in. It belongs to one configuration: with two, each pauses the schedules of the other.',
        expects: 'the name of a namespace',
        fallback: 'default',
        env: 'TEMPORAL_NAMESPACE',
      }),
      apiKey: setting(SecretReference, {
        about: 'The key for a server that asks for one. The variable holds the key itself.',
        expects: referenceText,
        env: 'TEMPORAL_API_KEY',
        secret: true,
      }),
      tls: section('Encryption to that server.', {
        enabled: setting(yesOrNo, {
          about: 'Whether to encrypt.',
          expects: '`true` or `false`',
          fallbackText: 'yes, if there is a key or another TLS setting',
          env: 'TEMPORAL_TLS',
        }),
        serverName: setting(line, {
          about: 'The name that the certificate of the server must carry, where it is not the address.',
          expects: 'a host name',
          env: 'TEMPORAL_TLS_SERVER_NAME',
        }),
        caFile: { ...path('Certificates to trust.'), env: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH' },
        certFile: { ...path('Our own certificate.'), env: 'TEMPORAL_TLS_CLIENT_CERT_PATH' },
        keyFile: { ...path('The private key of that certificate.'), env: 'TEMPORAL_TLS_CLIENT_KEY_PATH' },
      }),
      port: setting(port, {
        about: 'The port of the server that `npm start` runs.',
        expects: portNumber,
        fallback: 7233,
      }),
      uiPort: setting(port, { about: 'The port of its web page.', expects: portNumber, fallback: 8233 }),
    },
  ),
  ledger: database('Where rounds, findings, decisions and removals are kept.', 'dataDir'),
  registry: database('Where the embedded registry keeps its registrations.', 'dataDir'),
  demo: section('The demo that `npm start` shows.', {
    sourceUrl: setting(DatabaseAddress, {
      about: 'A real PostgreSQL in which the demo may create its databases.',
      expects: address,
      fallbackText: 'a source inside the process',
      env: 'DEMO_SOURCE_URL',
      secret: true,
    }),
  }),
  delta: deltaSettings,
  reconcile: reconcileSettings,
  metalakes: named('metalake', 'The registries and their catalogs, by name.', metalakeSettings),
});

import type { Principal } from '../domain/permission.ts';
import type { EntityKind } from '../domain/registration.ts';
import type { reconcileSettings } from './reconcile-settings.ts';
import type { Secret } from './secret.ts';
import type { Given } from './setting.ts';

/** Everything that was configured, valid as a whole, defaults filled in, frozen. */
export interface Config {
  /** The file that was read, as it was named; absent where none was. */
  readonly file?: string;
  readonly server: ServerConfig;
  readonly auth: AuthConfig;
  /** Absolute. */
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly metrics: MetricsConfig;
  readonly temporal: TemporalSettings;
  /** The ledger's database; absent: embedded, in the data folder. */
  readonly ledger?: DatabaseSettings;
  /** The embedded registry's database; absent: embedded, in the data folder. */
  readonly registry?: DatabaseSettings;
  /** A real PostgreSQL for the demo's sources. */
  readonly demoSource?: DatabaseSettings;
  /** What holds for every catalog, as it was written; ask `policyFor` for what holds in effect. */
  readonly reconcile: ReconcileGiven;
  readonly metalakes: readonly MetalakeConfig[];
  readonly delta: DeltaConfig;
  /** Of all metalakes, in the order of the file. */
  readonly catalogs: readonly CatalogConfig[];
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly requestsPerMinute: number;
  readonly requestsInFlight: number;
  /** Absent: plain HTTP. */
  readonly tls?: TlsConfig;
}

/** Certificate and private key, PEM, which belong together. */
export interface TlsConfig {
  readonly cert: string;
  readonly key: Secret;
}

export interface MetricsConfig {
  readonly host: string;
  /** Of the page that a worker serves; absent: none. */
  readonly port?: number;
  /** Of the page that the Temporal SDK serves; absent: none. */
  readonly temporalPort?: number;
}

export interface AuthConfig {
  /** False: whoever reaches the API may do everything, and it listens on loopback alone. */
  readonly hasCredentials: boolean;
  readonly tokens: readonly TokenConfig[];
  readonly jwt?: JwtConfig;
  /** Whether decisions that come as a Temporal signal count. */
  readonly allowTemporalSignals: boolean;
}

export interface TokenConfig {
  readonly principal: Principal;
  readonly token: Secret;
}

/** What of an issuer must be known to take its signed tokens. */
export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Where its keys are published, or the keys. */
  readonly keys: { readonly url: string } | { readonly set: readonly Readonly<Record<string, unknown>>[] };
  readonly clockSkewSecs: number;
  readonly principalClaim: string;
  readonly rolesClaim: string;
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type ReconcileGiven = Given<typeof reconcileSettings>;

export interface TemporalSettings {
  /** A server that runs somewhere; absent: one of our own. */
  readonly address?: string;
  readonly namespace: string;
  /** Ports of our own server. */
  readonly port: number;
  readonly uiPort: number;
  /**
   * All connection settings under their standard `TEMPORAL_*` names, those of the file included: hand it to
   * `loadClientConnectConfig` of `@temporalio/envconfig` as `overrideEnvVars`. It holds the key of the API.
   */
  readonly client: Secret<Record<string, string>>;
}

export interface DatabaseSettings {
  /** The whole address, password included. */
  readonly url: Secret;
  /** Host, port and database, for messages. */
  readonly shown: string;
}

export interface MetalakeConfig {
  readonly name: string;
  readonly registry: 'embedded';
  readonly owner?: string;
}

export interface CatalogConfig {
  readonly metalake: string;
  readonly catalog: string;
  readonly provider: 'postgresql' | 'delta';
  /** As `SourceConnection.settings`: host, port, database, user, sslmode; or root, region and so on. */
  readonly settings: Readonly<Record<string, string>>;
  /** By the names that the source knows them by: `password`, `secretAccessKey`. */
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly owner?: string;
  readonly managedKinds: readonly EntityKind[];
  readonly caseRule: 'sensitive' | 'lower' | 'upper' | 'insensitive';
  /** What was written for this catalog alone; ask `policyFor` for what holds in effect. */
  readonly reconcile: ReconcileGiven;
}

/** What the Unity Catalog API serves, and what its clients are given. */
export interface DeltaConfig {
  /** Absent: the API is not served. */
  readonly metalake?: string;
  /** Where managed tables lie unless their schema or catalog says otherwise; a location with a scheme. */
  readonly storageRoot?: string;
  readonly buckets: readonly BucketConfig[];
}

export interface BucketConfig {
  readonly name: string;
  readonly region: string;
  /** Absent: that of AWS. */
  readonly endpoint?: string;
  /** Absent: whatever the machine has. */
  readonly keys?: {
    readonly accessKeyId: Secret;
    readonly secretAccessKey: Secret;
    readonly sessionToken?: Secret;
  };
  /** Assumed for each client; absent: clients get the keys. */
  readonly role?: {
    readonly arn: string;
    readonly externalId?: string;
    readonly sessionSecs: number;
    readonly stsEndpoint?: string;
  };
}

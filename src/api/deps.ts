import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import type { CatalogName } from '../contract/names.ts';
import type { DeltaHandler } from '../delta/handler.ts';
import type { Actor } from '../domain/actor.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Registry } from '../registries/registry.ts';
import type { Authenticator } from './credentials/authenticator.ts';
import type { EventTimes } from './progress/round-events.ts';
import type { OwnersOf } from './plugins/authorize.ts';
import type { Gateway } from './gateway.ts';
import type { DeltaCaller } from './routes/delta/delta-caller.ts';
import type { UnityRoutesDeps } from './routes/unity/unity-routes.ts';

/** What an import did: registrations made, found there already, and objects of kinds that are never registered. */
export interface ImportCounts {
  readonly added: number;
  readonly existing: number;
  readonly skipped: number;
}

/** How much is asked of the API at once. */
export interface ApiLimits {
  /** Of one principal, or of one address where there is none. */
  readonly requestsPerMinute: number;
  /** Of everybody together, those that wait for a round included. */
  readonly requestsInFlight: number;
}

/** Everything that the API is built from; it constructs nothing of it. */
export interface ApiDeps {
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  /** Names of all metalakes, in the order in which they should be shown. */
  readonly metalakes: () => readonly string[] | Promise<readonly string[]>;
  readonly registries: (metalake: string) => Registry | undefined;
  /** Registers what the catalog's source lists; adds, never removes. Throws `ReconcilerFailure`. */
  readonly importCatalog: (name: CatalogName, actor: Actor) => Promise<ImportCounts>;
  /** What is wrong with a name pattern, as the end of a sentence; `undefined` for a usable one. */
  readonly patternProblem: (pattern: string) => string | undefined;
  /** Routes of the embedded registry, with addresses relative to `/api`. */
  readonly registryRoutes?: FastifyPluginAsync;
  /** The Delta API of the embedded registry; absent: there is no such address. */
  readonly delta?: DeltaHandler<DeltaCaller>;
  /** The Unity Catalog API around it, over the same registry. */
  readonly unity?: UnityRoutesDeps;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
  /** Served at `/metrics`; absent: there is no such route. */
  readonly metrics?: Metrics;
  /** Whose token is whose; absent: no credential is configured, and everybody who gets here may do everything. */
  readonly authenticator?: Authenticator;
  readonly ownersOf: OwnersOf;
  readonly limits: ApiLimits;
  /** Certificate and private key, PEM; absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Who acts where a request does not say: the operating system's user, by default. */
  readonly defaultActor: string;
  readonly version: string;
  /** Whether the API listens on loopback, so that requests for any other host are refused. */
  readonly loopbackOnly: boolean;
  /** Aborted when the process is about to end: not ready any more, and nobody waits any longer. */
  readonly leaving?: AbortSignal;
  /** How often a waiting request looks at the ledger; a quarter of a second where not given. */
  readonly lookEveryMs?: number;
  /** How often a stream of events looks, and how long it lasts; for production where not given. */
  readonly eventTimes?: EventTimes;
}

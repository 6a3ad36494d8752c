import { buildApi } from '../api/app.ts';
import { registryRoutes } from '../api/routes/registry/registry-routes.ts';
import type { ApiServer } from '../api/server.ts';
import type { Gateway } from '../api/gateway.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { isLoopback } from '../config/loopback.ts';
import { patternProblem } from '../config/patterns.ts';
import { policyFor } from '../config/policy-for.ts';
import { deltaApi } from './delta-api.ts';
import { authenticatorOf, ownersIn } from './credentials.ts';
import { importCatalog } from './import-catalog.ts';
import { setLedgerGauges } from './ledger-gauges.ts';
import { osUser } from './os-user.ts';
import { packageVersion } from './package-version.ts';
import { metalakeNames } from './policies.ts';
import type { Services } from './services.ts';

/** The API over these services, ready to listen. */
export function apiServer(
  services: Services,
  gateway: Gateway,
  options: { readonly logger: Logger; readonly metrics: Metrics; readonly leaving: AbortSignal },
): Promise<ApiServer> {
  const { config, ledger, metalakes, registryOf, activityDeps } = services;
  const authenticator = authenticatorOf(config.auth);
  setLedgerGauges(options.metrics, {
    ledger,
    clock: activityDeps.clock,
    reconcileOf: (metalake, catalog) => policyFor(config, metalake, catalog),
  });
  return buildApi({
    ledger,
    gateway,
    metalakes: () => metalakeNames(services),
    registries: registryOf,
    importCatalog: (name, actor) => importCatalog(services, name, actor),
    patternProblem,
    registryRoutes: registryRoutes({ metalakes }),
    ...deltaApi(services),
    clock: activityDeps.clock,
    logger: options.logger,
    metrics: options.metrics,
    defaultActor: osUser(),
    version: packageVersion(),
    ...(authenticator === undefined ? {} : { authenticator }),
    ownersOf: ownersIn(services),
    limits: config.server,
    // a token is sent on purpose: no page can make a browser add it, whatever name leads here
    loopbackOnly: authenticator === undefined && isLoopback(config.server.host),
    ...(config.server.tls === undefined
      ? {}
      : { tls: { cert: config.server.tls.cert, key: config.server.tls.key.reveal() } }),
    leaving: options.leaving,
  });
}

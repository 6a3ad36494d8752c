import { buildApi } from '../api/app.ts';
import { registryRoutes } from '../api/routes/registry/registry-routes.ts';
import type { ApiServer } from '../api/server.ts';
import type { Gateway } from '../api/gateway.ts';
import type { Logger } from '../observability/logger.ts';
import { patternProblem } from '../config/patterns.ts';
import { importCatalog } from './import-catalog.ts';
import { osUser } from './os-user.ts';
import { packageVersion } from './package-version.ts';
import { metalakeNames } from './policies.ts';
import type { Services } from './services.ts';

/** The API over these services, ready to listen. */
export function apiServer(
  services: Services,
  gateway: Gateway,
  options: { readonly logger: Logger; readonly leaving: AbortSignal },
): Promise<ApiServer> {
  const { config, ledger, metalakes, registryOf, activityDeps } = services;
  return buildApi({
    ledger,
    gateway,
    metalakes: () => metalakeNames(services),
    registries: registryOf,
    importCatalog: (name, actor) => importCatalog(services, name, actor),
    patternProblem,
    registryRoutes: registryRoutes({ metalakes }),
    clock: activityDeps.clock,
    logger: options.logger,
    defaultActor: osUser(),
    version: packageVersion(),
    loopbackOnly: isLoopback(config.server.host),
    leaving: options.leaving,
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

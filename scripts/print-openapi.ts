// Prints docs/openapi.json from the routes and their schemas: `tsx scripts/print-openapi.ts > docs/openapi.json`.
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { buildApi } from '../src/api/app.ts';
import { registryRoutes } from '../src/api/routes/registry/registry-routes.ts';
import { packageVersion } from '../src/main/package-version.ts';

/** Of a server that is built as always and answers nothing: routes describe themselves before they are asked. */
export async function openApiText(): Promise<string> {
  const nothing = {} as never;
  const app = await buildApi({
    ledger: nothing,
    gateway: nothing,
    metalakes: () => [],
    registries: () => undefined,
    importCatalog: () => Promise.reject(new Error('nothing is imported here')),
    patternProblem: () => undefined,
    registryRoutes: registryRoutes({ metalakes: nothing }),
    clock: () => 0,
    logger: pino({ level: 'silent' }),
    defaultActor: 'nobody',
    version: packageVersion(),
    // with credentials, so that the document says which of them each route takes
    authenticator: async () => ({ refused: 'Nobody is let in here.' }),
    ownersOf: async () => [],
    limits: { requestsPerMinute: 1, requestsInFlight: 1 },
    loopbackOnly: true,
  });
  try {
    return `${JSON.stringify(app.swagger(), undefined, 2)}\n`;
  } finally {
    await app.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(await openApiText());

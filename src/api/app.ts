import Fastify, { LogController } from 'fastify';
import { type ZodTypeProvider, serializerCompiler } from 'fastify-type-provider-zod';
import type { ApiDeps } from './deps.ts';
import { admitApiDocs, apiDocsRoutes } from './plugins/api-docs.ts';
import { authenticate } from './plugins/authenticate.ts';
import { authorize } from './plugins/authorize.ts';
import { answerOnce } from './plugins/idempotency.ts';
import { readJsonOnly } from './plugins/json-body.ts';
import { boundInFlight, countRequests } from './plugins/limits.ts';
import { collectOpenApi, openApiRoute } from './plugins/openapi.ts';
import { refuseForeigners } from './plugins/origin.ts';
import { collectMethods } from './plugins/other-methods.ts';
import { addRequestIds, requestIdOf } from './plugins/request-id.ts';
import { measureRequests } from './plugins/request-times.ts';
import { compileValidator } from './plugins/validator.ts';
import { ApiProblem } from './problems/api-problem.ts';
import { refuseSocket, sendNotFound, sendProblem } from './problems/send-problem.ts';
import { longestWaitMs } from './reconcile/prefer.ts';
import { absentRoutes } from './routes/absent.ts';
import { auditRoutes } from './routes/audit.ts';
import { controlRoutes } from './routes/controls.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { deltaRoutes } from './routes/delta/delta-routes.ts';
import { deltaBase, isDeltaAddress } from './routes/delta/delta-address.ts';
import { sendDeltaFailure } from './routes/delta/send-failure.ts';
import { healthRoutes } from './routes/health.ts';
import { importRoutes } from './routes/import.ts';
import { keepRoutes } from './routes/keeps.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { overrideRoutes } from './routes/override.ts';
import { overviewRoutes } from './routes/overview.ts';
import { policyRoutes } from './routes/policy.ts';
import { problemRoutes } from './routes/problems.ts';
import { reconcileRoutes } from './routes/reconcile.ts';
import { removalRoutes } from './routes/removals.ts';
import { restoreRoutes } from './routes/restores.ts';
import { roundEventRoutes } from './routes/round-events.ts';
import { roundRoutes } from './routes/rounds.ts';
import { unityBase, unityRoutes } from './routes/unity/unity-routes.ts';
import { staleRoutes } from './routes/stale.ts';
import { maxNameLength } from './schemas/text.ts';
import type { ApiServer } from './server.ts';

const bounds = {
  /** A thousand decisions take about 200 KB; nothing else is larger. */
  bodyLimit: 1_048_576,
  /** For headers and body to arrive; a client that needs longer is stuck or means harm. */
  requestTimeout: 15_000,
  /** A silent socket; longer than the longest wait for a round, during which it is silent. */
  connectionTimeout: longestWaitMs + 30_000,
  /** Longer than the 60 s after which most proxies drop an idle connection, so that they close first. */
  keepAliveTimeout: 65_000,
} as const;

/** An address may hold several long names, and a cursor that holds them again, all of them escaped. */
const maxHeaderSize = 65_536;

/** A name has up to 1,000 characters, each up to four bytes, each of which takes three characters in an address. */
const maxParamLength = maxNameLength * 12;

/**
 * The API, ready to listen or to be injected: everything that it needs comes in, nothing is constructed here. After
 * `leaving` was aborted, or `close()` was called, it is not ready, waits for no round any longer, and refuses new
 * requests.
 */
export async function buildApi(deps: ApiDeps): Promise<ApiServer> {
  const app: ApiServer = Fastify({
    loggerInstance: deps.logger,
    // one line a request on DEBUG is ours (addRequestIds); errors are told where they are sent
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    // refused by our own hook instead, with a problem
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      isDeltaAddress(request.url) ? sendDeltaFailure(error, request, reply) : sendProblem(error, request, reply),
    clientErrorHandler: refuseSocket,
    routerOptions: { maxParamLength },
    ...(deps.tls === undefined ? { http: { maxHeaderSize } } : { https: { ...deps.tls, maxHeaderSize } }),
    ...bounds,
  }).withTypeProvider<ZodTypeProvider>();
  const leaving = leavingSignal(app, deps);

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler(sendNotFound);
  readJsonOnly(app);
  addRequestIds(app);
  if (deps.metrics !== undefined) measureRequests(app, deps.metrics);
  await collectOpenApi(app, deps);

  admitApiDocs(app);
  const count = await countRequests(app, deps.limits);
  authenticate(app, deps.authenticator, deps.defaultActor, count);
  authorize(app, deps.ownersOf);
  const refuseOtherMethods = collectMethods(app);
  healthRoutes(app, deps, leaving);
  const { metrics } = deps;
  if (metrics !== undefined) {
    await app.register(async (plugin) => {
      refuseForeigners(plugin.withTypeProvider<ZodTypeProvider>(), deps.loopbackOnly);
      metricsRoutes(plugin.withTypeProvider<ZodTypeProvider>(), metrics);
    });
  }
  const inFlight = boundInFlight(deps.limits);
  /** What stands before whatever is answered from ledger or registry, in whichever dialect. */
  const guarded = async (prefix: string, routes: (api: ApiServer) => Promise<void>): Promise<void> => {
    await app.register(
      async (plugin) => {
        const api = plugin.withTypeProvider<ZodTypeProvider>();
        refuseWhileLeaving(api, leaving);
        refuseForeigners(api, deps.loopbackOnly);
        api.addHook('onRequest', count);
        api.addHook('onRequest', inFlight);
        await routes(api);
      },
      { prefix },
    );
  };
  await guarded('/api', async (api) => {
    answerOnce(api, deps);
    apiRoutes(api, deps, leaving);
    await apiDocsRoutes(api);
    if (deps.registryRoutes !== undefined) await api.register(deps.registryRoutes);
  });
  const { delta, unity } = deps;
  if (unity !== undefined) await guarded(unityBase, async (api) => unityRoutes(api, unity));
  if (delta !== undefined) await guarded(deltaBase, async (api) => deltaRoutes(api, delta));
  refuseOtherMethods();
  await app.ready();
  return app;
}

function apiRoutes(api: ApiServer, deps: ApiDeps, leaving: AbortSignal): void {
  reconcileRoutes(api, deps, leaving);
  overviewRoutes(api, deps);
  staleRoutes(api, deps);
  decisionRoutes(api, deps);
  keepRoutes(api, deps);
  removalRoutes(api, deps);
  restoreRoutes(api, deps, leaving);
  roundRoutes(api, deps);
  roundEventRoutes(api, deps, leaving);
  absentRoutes(api, deps);
  policyRoutes(api, deps);
  controlRoutes(api, deps);
  overrideRoutes(api, deps);
  importRoutes(api, deps);
  auditRoutes(api, deps);
  problemRoutes(api);
  openApiRoute(api);
}

/** Aborted by whichever comes first: the process says that it leaves, or the server is closed. */
function leavingSignal(app: ApiServer, { leaving }: ApiDeps): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  return leaving === undefined ? closing.signal : AbortSignal.any([leaving, closing.signal]);
}

function refuseWhileLeaving(api: ApiServer, leaving: AbortSignal): void {
  api.addHook('onRequest', async () => {
    if (leaving.aborted)
      throw new ApiProblem('shutting-down', 'The process is about to end.', { retryAfterSeconds: 5 });
  });
}

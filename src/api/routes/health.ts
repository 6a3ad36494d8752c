import { z } from 'zod';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiServer } from '../server.ts';

/** Whoever asks for readiness asks every few seconds, so a slower answer is as good as none. */
const answerWithinMs = 1_000;

const Check = z.object({ ok: z.boolean(), why: z.string().exactOptional() });
const Readiness = z.object({
  ready: z.boolean(),
  checks: z.object({ ledger: Check, temporal: Check, staying: Check }),
});

/**
 * - `GET /livez`: this process answers; nothing else is asked.
 * - `GET /readyz`: 200 where ledger and Temporal answer within a second and the process stays, else 503; `checks` says
 *   which one failed. Reading goes on without Temporal, so not ready is no reason to kill the process.
 *
 * Both stand outside of `/api`: no actor, no check of host or origin.
 */
export function healthRoutes(app: ApiServer, deps: ApiDeps, leaving: AbortSignal): void {
  app.get(
    '/livez',
    {
      config: { action: 'public' },
      schema: { hide: true, response: { 200: z.object({ alive: z.literal(true), version: z.string() }) } },
    },
    async () => ({ alive: true as const, version: deps.version }),
  );
  app.get(
    '/readyz',
    { config: { action: 'public' }, schema: { hide: true, response: { 200: Readiness, 503: Readiness } } },
    async (_request, reply) => {
      const [ledger, temporal] = await Promise.all([
        answers(() => deps.ledger.ping()),
        answers(() => deps.gateway.ping()),
      ]);
      const staying = leaving.aborted ? { ok: false, why: 'the process is shutting down' } : { ok: true };
      const ready = ledger.ok && temporal.ok && staying.ok;
      reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
      return { ready, checks: { ledger, temporal, staying } };
    },
  );
}

async function answers(ping: () => Promise<void>): Promise<z.infer<typeof Check>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<z.infer<typeof Check>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, why: 'no answer within a second' }), answerWithinMs);
  });
  try {
    return await Promise.race([late, ping().then(() => ({ ok: true }))]);
  } catch (error) {
    // only our own failures are written to be shown
    return { ok: false, why: error instanceof ReconcilerFailure ? error.message : 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
}

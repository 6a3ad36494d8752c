import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiLimits } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

/** Counts a request of whoever asks; throws problem `too-many-requests` where there were too many within a minute. */
export type CountRequest = (request: FastifyRequest) => Promise<void>;

/** More callers than this at a time: the ones that were quiet longest are forgotten, which is to their favour. */
const callersRemembered = 10_000;

/** A request in flight takes milliseconds, or waits for a round; the next moment may have room again. */
const tryAgainSeconds = 1;

/** Counts by principal where a token proved one, else by address. */
export async function countRequests(app: ApiServer, { requestsPerMinute }: ApiLimits): Promise<CountRequest> {
  await app.register(rateLimit, { global: false, cache: callersRemembered });
  const count = app.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ principal, ip }) => (principal === undefined ? `address ${ip}` : `principal ${principal.name}`),
  });
  return async (request) => {
    const limit = await count(request);
    if (limit.isAllowed || !limit.isExceeded) return;
    throw new ApiProblem('too-many-requests', `More than ${requestsPerMinute} requests came within a minute.`, {
      retryAfterSeconds: Math.max(1, limit.ttlInSeconds),
    });
  };
}

/**
 * Refuses with problem `too-busy` what comes while that many requests are being answered, those that wait included. One
 * hook for every address that it stands before, or each of them would count for itself.
 */
export function boundInFlight({ requestsInFlight }: ApiLimits): onRequestAsyncHookHandler {
  let inFlight = 0;
  return async (_request, { raw }) => {
    if (inFlight >= requestsInFlight) {
      throw new ApiProblem('too-busy', `${requestsInFlight} requests are being answered already.`, {
        retryAfterSeconds: tryAgainSeconds,
      });
    }
    inFlight += 1;
    // comes in any case, whether the answer was sent or the client left
    raw.once('close', () => {
      inFlight -= 1;
    });
  };
}

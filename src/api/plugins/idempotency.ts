import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonical } from '../../domain/digest.ts';
import type { KeptAnswer, KeyedAttempt } from '../../ledger/ledger.ts';
import { catalogKey } from '../addresses.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import type { ApiServer } from '../server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the route takes header `Idempotency-Key`; required of every route that acts in a catalog. `once`: a repeat is
     * refused while the first is being answered. `repeatable`: the key is in the ledger's own rows too, which do nothing
     * twice, so a repeat need not wait, and what was only sent may be asked for again.
     */
    idempotency?: 'once' | 'repeatable';
  }
  interface FastifyRequest {
    /** The attempt under the key that the request carries; absent where it carries none. */
    keyed: KeyedAttempt | undefined;
  }
}

/** A client that still tries after a day has been told long ago. */
const keptMs = 24 * 3_600_000;

/** Longer than the longest wait for a round: whoever did not answer by then was ended, and what it did is in the ledger. */
const brokenOffMs = 180_000;

/** Only decisions on many findings answer with more, and those the ledger answers one by one. */
const longestKept = 262_144;

const keptHeaders = ['content-type', 'location', 'retry-after', 'idempotency-key', 'etag'];

/** The round was run, so that its end is an outcome; every other problem says that nothing was done. */
const ofRounds = ['round-failed', 'round-incomplete', 'source-changed', 'round-cancelled'].map(
  (type) => `/api/problems/${type}`,
);

/**
 * The one mechanism behind `Idempotency-Key`: the first request under a key is carried out, and what it was answered is
 * kept for a day and given to whoever sends the same again. A request that was refused did nothing and leaves its key
 * free. Problems: `idempotency-key-reused`, `idempotency-key-in-flight`.
 */
export function answerOnce(api: ApiServer, { ledger, clock }: Pick<ApiDeps, 'ledger' | 'clock'>): void {
  api.decorateRequest('keyed');
  api.addHook('onRoute', ({ method, url, schema, config }) => {
    const reads = [method].flat().every((name) => name === 'GET' || name === 'HEAD');
    if (reads || schema?.hide === true || schema?.tags?.includes('registry')) return;
    if (config?.idempotency === undefined)
      throw new Error(`route ${String(method)} ${url} does not say its idempotency`);
  });

  api.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request);
    if (key === undefined) return;
    const now = clock();
    const keyed = { scope: scopeOf(request), key, attempt: randomUUID() };
    const until = now + brokenOffMs;
    const answer = await ledger.requestKeys.take({ ...keyed, fingerprint: fingerprintOf(request), now, until });
    switch (answer.state) {
      case 'taken':
        request.keyed = keyed;
        return;
      case 'answered':
        return again(reply, answer.answer);
      case 'running':
        if (request.routeOptions.config.idempotency === 'repeatable') return;
        throw new ApiProblem('idempotency-key-in-flight', 'The request under this key is still being answered.', {
          retryAfterSeconds: 2,
        });
      case 'other-request':
        throw new ApiProblem('idempotency-key-reused', 'Another request was sent under this key.');
    }
  });

  api.addHook('onSend', async (request, reply, payload) => {
    const { keyed } = request;
    if (keyed === undefined) return payload;
    request.keyed = undefined;
    try {
      const answer = answerToKeep(request, reply, payload);
      if (answer === undefined) await ledger.requestKeys.release(keyed);
      else await ledger.requestKeys.keep(keyed, answer, clock() + keptMs);
    } catch (error) {
      // what was done is done, and its caller is to hear of it
      request.log.warn({ err: error }, 'the answer under an idempotency key could not be kept');
    }
    return payload;
  });
}

function keyOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return routeOptions.config.idempotency !== undefined && typeof key === 'string' ? key : undefined;
}

function scopeOf({ params }: FastifyRequest): string {
  return catalogKey(params as { readonly metalake: string; readonly catalog: string });
}

/** Of everything that makes a request the same: who asks for what, where. How long they wait for it does not. */
function fingerprintOf({ method, routeOptions, params, query, body, headers, actor }: FastifyRequest): string {
  const what = { method, url: routeOptions.url, params, query, body, ifMatch: headers['if-match'], actor: actor.name };
  return createHash('sha256').update(canonical(what)).digest('hex');
}

function answerToKeep(request: FastifyRequest, reply: FastifyReply, payload: unknown): KeptAnswer | undefined {
  const { statusCode: status } = reply;
  if (typeof payload !== 'string' || payload.length > longestKept) return undefined;
  if (status === 202 && request.routeOptions.config.idempotency === 'repeatable') return undefined;
  if (status >= 400 && !ofRounds.includes((JSON.parse(payload) as { readonly type: string }).type)) return undefined;
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return { status, headers: Object.fromEntries(headers), body: payload };
}

/** A text, so that no response schema tries to make something else of it. */
function again(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  return reply.code(status).headers(headers).header('idempotent-replayed', 'true').send(body);
}

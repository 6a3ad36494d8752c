import type { FastifyReply } from 'fastify';

/**
 * Aborts when the client goes away before it was answered. Not the request's own `close` event: that one comes as soon
 * as a body has been read.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

import type { FastifyRequest } from 'fastify';
import { DeltaError } from '../../../delta/delta-error.ts';
import { type JsonObject, readJsonObject } from '../../../delta/wire/json.ts';
import { shapeProblem } from '../../plugins/json-shape.ts';
import type { ApiServer } from '../../server.ts';

/** A field of a column adds three levels, and types of columns are nested; nobody nests a hundred of them. */
const deepest = 320;

/**
 * Keeps bodies as bytes, whatever their type: whether one is JSON is asked after permission, and with integers of 64 bits,
 * which the framework's own parser rounds.
 */
export function keepBodies(app: ApiServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Reads the kept body when the operation asks for it. */
export function bodyReader({ body, headers }: FastifyRequest): () => JsonObject {
  return () => {
    const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (mediaType !== 'application/json') throw invalid('The request body must be sent as application/json.');
    if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('The request has no body.');
    const text = utf8(body);
    const problem = shapeProblem(text, deepest);
    if (problem !== undefined) throw invalid(`The request body ${problem}.`);
    return readJsonObject(text);
  };
}

function utf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw new DeltaError('InvalidArgument', 'The request body is not UTF-8.', { cause: error });
  }
}

function invalid(message: string): DeltaError {
  return new DeltaError('InvalidArgument', message);
}

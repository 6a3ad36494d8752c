import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { SchemaRef, TableRef } from '../../../delta/table.ts';
import { nameOf, queryOf } from '../delta/delta-address.ts';
import { bodyReader } from '../delta/delta-body.ts';

/** More than that would be one request for a whole catalog. */
const largestPage = 100;

/** The body as it is described; what is not described is ignored, as the published API does. */
export function bodyOf<S extends z.ZodType>(request: FastifyRequest, shape: S): z.output<S> {
  const result = shape.safeParse(bodyReader(request)());
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new DeltaError('InvalidArgument', `Field '${field}' is not as described: ${issue?.message ?? 'unknown'}.`);
}

/** `catalog.schema` from the address. */
export function schemaNamed(request: FastifyRequest): SchemaRef {
  const [catalog, schema, ...more] = nameOf(request, 'full_name').split('.');
  if (catalog === undefined || schema === undefined || more.length > 0) {
    throw new DeltaError('InvalidArgument', 'The full name of a schema is catalog.schema.');
  }
  return { catalog, schema };
}

/** `catalog.schema.table` from the address. */
export function tableNamed(request: FastifyRequest): TableRef {
  const [catalog, schema, table, ...more] = nameOf(request, 'full_name').split('.');
  if (catalog === undefined || schema === undefined || table === undefined || more.length > 0) {
    throw new DeltaError('InvalidArgument', 'The full name of a table is catalog.schema.table.');
  }
  return { catalog, schema, table };
}

export function required(request: FastifyRequest, key: string): string {
  const value = queryOf(request, key);
  if (value === undefined || value === '') throw new DeltaError('InvalidArgument', `${key} is required.`);
  return value;
}

/** The page that is asked for: the token is the name behind which it begins, and any text will do. */
export function pageOf(request: FastifyRequest): { readonly after?: string; readonly limit: number } {
  const after = queryOf(request, 'page_token');
  const asked = queryOf(request, 'max_results') ?? '0';
  if (!/^\d{1,9}$/.test(asked)) {
    throw new DeltaError(
      'InvalidArgument',
      `max_results must be a whole number that is not negative, got ${asked.slice(0, 50)}.`,
    );
  }
  const size = Number(asked);
  const limit = size === 0 ? largestPage : Math.min(size, largestPage);
  return after === undefined || after === '' ? { limit } : { after, limit };
}

/** Behind the last name of a full page there may be more; only the next page tells. */
export function nextToken(names: readonly string[], limit: number): string | null {
  return names.length < limit ? null : (names.at(-1) ?? null);
}

export function forced(request: FastifyRequest): boolean {
  return queryOf(request, 'force') === 'true';
}

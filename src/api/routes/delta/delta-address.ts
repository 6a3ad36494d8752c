import type { FastifyRequest } from 'fastify';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { SchemaRef, TableRef } from '../../../delta/table.ts';
import { isStorable } from '../../../delta/wire/json.ts';

export const deltaBase = '/api/2.1/unity-catalog/delta/v1';

/** Whether a failure at this address is told in the envelope of the Delta API. */
export function isDeltaAddress(url: string): boolean {
  return url.startsWith(deltaBase) && /^(?:[/?#]|$)/.test(url.slice(deltaBase.length));
}

export const schemaAddress = '/catalogs/:catalog/schemas/:schema';
export const tableAddress = `${schemaAddress}/tables/:table`;

export function schemaOf(request: FastifyRequest): SchemaRef {
  return { catalog: nameOf(request, 'catalog'), schema: nameOf(request, 'schema') };
}

export function tableOf(request: FastifyRequest): TableRef {
  return { ...schemaOf(request), table: nameOf(request, 'table') };
}

/** One segment of the address, which was split first and decoded afterwards. */
export function nameOf({ params }: FastifyRequest, key: string): string {
  const name = (params as Readonly<Record<string, string>>)[key] ?? '';
  return storable(name, key);
}

export function queryOf({ query }: FastifyRequest, key: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new DeltaError('InvalidArgument', `Query parameter ${key} is given twice.`);
  return storable(value, key);
}

function storable(text: string, key: string): string {
  if (isStorable(text)) return text;
  throw new DeltaError('InvalidArgument', `${key} has text that is not Unicode, or U+0000.`);
}

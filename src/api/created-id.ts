import { createHash, randomUUID } from 'node:crypto';
import type { CatalogName } from '../contract/names.ts';
import { pathText } from '../domain/path.ts';

/**
 * The id of what a request creates: the same for the same key in the same catalog, so that sending it again creates
 * nothing twice, and another in another catalog, where the same key means something else.
 */
export function createdId({ metalake, catalog }: CatalogName, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return randomUUID();
  const digest = createHash('sha256')
    .update(pathText([metalake, catalog, idempotencyKey]))
    .digest('hex');
  return digest.slice(0, 32);
}

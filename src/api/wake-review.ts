import type { FastifyBaseLogger } from 'fastify';
import type { CatalogName } from '../contract/names.ts';
import { catalogKey } from './addresses.ts';
import { type Gateway, GatewayUnavailable } from './gateway.ts';

/**
 * Tells the review that something in the ledger changed. Best effort: the change is made, the ledger has it, and a
 * review that is not told looks by itself sooner or later. Says whether it was told.
 */
export async function wakeReview(
  gateway: Gateway,
  name: CatalogName,
  why: string,
  log: FastifyBaseLogger,
): Promise<boolean> {
  try {
    await gateway.wakeReview(name, why);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    log.warn({ catalog: catalogKey(name), why, err: error }, 'review not told');
    return false;
  }
}

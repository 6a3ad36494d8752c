import type { OperationDeps } from '../operations/operation-deps.ts';
import type { CatalogDispatcher } from './dispatcher.ts';
import { eventLink } from './event-link.ts';
import { hookLink } from './hook-link.ts';
import { normalizeLink } from './normalize-link.ts';
import { operationLink } from './operation-link.ts';

/**
 * event → normalize → hook → operation. The event link is outermost, so that it sees failures of all others; names are
 * normal before a hook or the operation looks at them.
 */
export function dispatcherChain(deps: OperationDeps): CatalogDispatcher {
  return eventLink(deps, normalizeLink(deps, hookLink(operationLink(deps))));
}

/** The chain for people and clients, who drop at their own word: the removal that asks the source first is the reconciler's. */
export function ownWordChain(deps: Omit<OperationDeps, 'stillExists'>): CatalogDispatcher {
  return dispatcherChain({ ...deps, stillExists: async () => 'unknown' });
}

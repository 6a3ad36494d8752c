import { defineSearchAttributeKey } from '@temporalio/common';

/** Rounds and everything short that goes with them. */
export const reconcileQueue = 'reconcile';
/** Removals alone, so that no scan can stand in their way and their rate has a ceiling of its own. */
export const removalsQueue = 'removals';

/** Types of workflows, as Temporal knows them; renaming one breaks running work. */
export const workflowTypes = {
  roundTick: 'roundTick',
  reconcileRound: 'reconcileRound',
  catalogReview: 'catalogReview',
} as const;

export const queries = { report: 'report', staleReport: 'staleReport', removals: 'removals' } as const;
export const updates = { decide: 'decide' } as const;
export const signals = { approve: 'approve', wake: 'wake' } as const;

/** What a person can search for in the Temporal UI. Never anything secret. */
export const searchAttributes = {
  catalogId: defineSearchAttributeKey('CatalogId', 'KEYWORD'),
  reconcilePhase: defineSearchAttributeKey('ReconcilePhase', 'KEYWORD'),
  staleCount: defineSearchAttributeKey('StaleCount', 'INT'),
} as const;

/** A catalog by its two names. */
export interface CatalogName {
  readonly metalake: string;
  readonly catalog: string;
}

const idKinds = ['round', 'scan', 'review', 'tick', 'reconcile'] as const;
export type IdKind = (typeof idKinds)[number];

function idOf(kind: IdKind, { metalake, catalog }: CatalogName): string {
  return `${kind}/${encodeURIComponent(metalake)}/${encodeURIComponent(catalog)}`;
}

/** The fixed id of a catalog's round: Temporal's uniqueness of it is the lock that keeps rounds apart. */
export const roundWorkflowId = (name: CatalogName): string => idOf('round', name);
/** The fixed id of a catalog's dry scan; dry scans join each other and never delay a round. */
export const scanWorkflowId = (name: CatalogName): string => idOf('scan', name);
export const reviewWorkflowId = (name: CatalogName): string => idOf('review', name);
/** The id that scheduled ticks carry; the server appends the nominal time. */
export const tickWorkflowId = (name: CatalogName): string => idOf('tick', name);
export const scheduleId = (name: CatalogName): string => idOf('reconcile', name);

/** Reads any of the ids above; `undefined` for one that is not ours. */
export function parseId(id: string): (CatalogName & { readonly kind: IdKind }) | undefined {
  const [kind, metalake, catalog, ...rest] = id.split('/');
  const known = idKinds.find((candidate) => candidate === kind);
  if (known === undefined || !metalake || !catalog || rest.length > 0) return undefined;
  try {
    const name = { metalake: decodeURIComponent(metalake), catalog: decodeURIComponent(catalog) };
    // Another spelling of the same names is another id, and Temporal keeps both apart.
    return idOf(known, name) === id ? { kind: known, ...name } : undefined;
  } catch {
    return undefined;
  }
}

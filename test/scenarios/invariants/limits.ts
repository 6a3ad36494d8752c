import { defaultPolicy } from '../../../src/domain/policy.ts';
import { day } from '../../support/builders.ts';
import type { CatalogRows, FindingRow } from '../ledger-rows.ts';

/** Whether a finding may go with everything inside, as far as the limits of a round and of a day are concerned. */
export function limitsLet({ removals, policies, catalog }: CatalogRows, finding: FindingRow, now: number): boolean {
  const { removalsPerRound, removalsPerDay } = { ...defaultPolicy, ...policies.at(-1)?.body };
  const gone = removals.filter(({ outcome }) => outcome === 'removed');
  const sum = (rows: typeof gone): number => rows.reduce((total, { entities }) => total + entities, 1 + finding.inside);
  const inRound = sum(gone.filter(({ at }) => at >= (catalog?.published_at ?? 0)));
  const inDay = sum(gone.filter(({ at }) => at > now - day));
  return inRound <= removalsPerRound && inDay <= removalsPerDay;
}

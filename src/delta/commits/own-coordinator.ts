import type { CommitCoordinator } from '../backend.ts';
import { type ArbitrationRules, arbitrate } from './arbitrate.ts';

/** Orders commits by the log of the unit of work: for every backend that does not bring a coordinator of its own. */
export function ownCoordinator(rules: ArbitrationRules): CommitCoordinator {
  return {
    decide: async ({ log }, request) => arbitrate(await log.tracked(), request, rules),
    apply: ({ log }, change) => log.apply(change),
    tracked: ({ log }) => log.tracked(),
  };
}

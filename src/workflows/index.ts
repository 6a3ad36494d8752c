export { catalogReview } from './catalog-review.ts';
export { reconcileRound } from './reconcile-round.ts';
export { roundTick } from './round-tick.ts';

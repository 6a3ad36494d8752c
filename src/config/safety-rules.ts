import type { ReconcileGiven } from './config.ts';
import { effectiveReconcile } from './policy-for.ts';

/** What is wrong with one level of `reconcile` keys, or with what it comes to; `key` is below that level. */
export interface BrokenRule {
  readonly key: string;
  readonly text: string;
}

/** @param own the level that is looked at; `all` the one above it, empty for the topmost */
export function brokenRules(all: ReconcileGiven, own: ReconcileGiven): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  if (own.cron !== undefined && own.intervalSecs !== undefined) {
    broken.push({ key: 'cron', text: 'cannot stand beside intervalSecs: only one of them can say when. Take one out' });
  }
  // a catalog that writes none of these has the fault from above, where it is reported once
  if (removesWithoutGrace(all, own) && concerned.some((key) => own[key] !== undefined)) {
    broken.push({
      key: 'graceSecs',
      text:
        'is 0 where policy is auto-remove, so that nobody could step in. Write a longer grace, or ' +
        'acknowledgeNoGrace: true beside it if this is meant',
    });
  }
  return broken;
}

function removesWithoutGrace(all: ReconcileGiven, own: ReconcileGiven): boolean {
  const { policy } = effectiveReconcile(all, own);
  const removes = [policy.mode, ...Object.values(policy.modeByKind)].includes('auto-remove');
  return removes && policy.graceMs === 0 && !(own.acknowledgeNoGrace ?? all.acknowledgeNoGrace ?? false);
}

const concerned = ['policy', 'policyByKind', 'graceSecs', 'acknowledgeNoGrace'] as const;

import type { CatalogName } from '../contract/names.ts';
import type { DecideMessage, DecideResult } from '../contract/review-messages.ts';
import { actorRefusal } from '../domain/decision.ts';
import type { Pace } from '../domain/pace.ts';
import { pathText } from '../domain/path.ts';
import type { IntentAction } from '../domain/removal.ts';
import type { NextStep } from '../ledger/ledger.ts';
import type { ActivityDeps } from './deps.ts';

/** What the removal loop does next, and the pace that it keeps. */
export interface StepAnswer {
  readonly next:
    | { readonly step: 'settle'; readonly intentId: string; readonly path: string }
    | { readonly step: IntentAction; readonly finding: string; readonly path: string }
    | { readonly step: 'restore'; readonly restore: string; readonly path: string }
    | Extract<NextStep, { step: 'wait' | 'done' }>;
  readonly pace: Pace;
}

export async function nextStep(deps: ActivityDeps, input: CatalogName & { readonly now: number }): Promise<StepAnswer> {
  const key = pathText([input.metalake, input.catalog]);
  const { policy } = await deps.ledger.catalogs.policy(key);
  const pace: Pace = { perSecond: policy.removalsPerSecond, burst: policy.removalBurst };
  const next = await deps.ledger.removals.next(key, input.now);
  switch (next.step) {
    case 'settle':
      return { next: { step: 'settle', intentId: next.intent.id, path: pathText(next.intent.path) }, pace };
    case 'remove':
    case 'repoint':
      return { next: { step: next.step, finding: next.finding, path: pathText(next.path) }, pace };
    case 'restore':
      return { next: { ...next, path: pathText(next.path) }, pace };
    case 'wait':
    case 'done':
      return { next, pace };
  }
}

/** Writes a person's decisions, or says per item why not. */
export async function recordDecisions(
  deps: ActivityDeps,
  input: CatalogName & { readonly message: DecideMessage; readonly now: number },
): Promise<DecideResult> {
  const { items, actor, reason, requestKey, notAfter } = input.message;
  const refusal = actorRefusal(actor, deps);
  const answers = await deps.ledger.decisions.decide({
    catalog: pathText([input.metalake, input.catalog]),
    items,
    actor,
    requestKey,
    canRepoint: deps.registryOf(input.metalake).capabilities.repoint,
    now: input.now,
    notAfter,
    ...(reason === undefined ? {} : { reason }),
    ...(refusal === undefined ? {} : { refusal }),
  });
  return { answers };
}

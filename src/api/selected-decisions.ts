import type { z } from 'zod';
import type { CatalogName } from '../contract/names.ts';
import { type DecideMessage, type DecisionAnswer, maxDecisionItems } from '../contract/review-messages.ts';
import type { Selection } from '../ledger/ledger.ts';
import { catalogKey } from './addresses.ts';
import type { ApiDeps } from './deps.ts';
import { type Gateway, GatewayUnavailable } from './gateway.ts';
import { pathField } from './path-field.ts';
import { ApiProblem } from './problems/api-problem.ts';
import { type FindingFilter, maxSelected } from './schemas/decision.ts';

/** Two waves of ten requests keep within a client's patience, and leave the review room for other people's. */
const inFlight = 5;

export type SelectedAnswer =
  | DecisionAnswer
  | { readonly findingId: string; readonly answer: 'sent' }
  | { readonly findingId: string; readonly answer: 'refused'; readonly reason: 'not-sent'; readonly hint: string };

/** The findings that a filter selects for an action; a path in it is named `<where>.under` where it cannot be read. */
export function selectionOf(
  { ledger, clock }: Pick<ApiDeps, 'ledger' | 'clock'>,
  name: CatalogName,
  action: DecideMessage['items'][number]['action'],
  { kind, verdict, under }: z.infer<typeof FindingFilter>,
  where: string,
): Promise<Selection> {
  return ledger.findings.select(
    {
      catalog: catalogKey(name),
      action,
      ...(kind === undefined ? {} : { kind }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(under === undefined ? {} : { under: pathField(`${where}.under`, under) }),
    },
    maxSelected,
    clock(),
  );
}

/** Refuses a selection that is not the one that was seen, or too large for one request. */
export function checkSelection(
  { count, digest }: Selection,
  seen: { readonly count: number; readonly digest: string },
) {
  if (count !== seen.count || digest !== seen.digest) {
    throw new ApiProblem('selection-changed', `${seen.count} were seen, and ${count} match now. Nothing was decided.`);
  }
  if (count > maxSelected) {
    throw new ApiProblem('selection-too-large', `${count} match, and one request decides at most ${maxSelected}.`);
  }
}

/**
 * Sends a decision on any number of findings in parts, each under a key of its own made from the request's, and answers
 * for every item. Throws {@link GatewayUnavailable} where no part could be sent at all.
 */
export async function decideInParts(
  gateway: Gateway,
  name: CatalogName,
  message: DecideMessage,
): Promise<readonly SelectedAnswer[]> {
  const parts: DecideMessage[] = [];
  for (let from = 0; from < message.items.length; from += maxDecisionItems) {
    const items = message.items.slice(from, from + maxDecisionItems);
    parts.push({ ...message, items, requestKey: `${message.requestKey}/${parts.length}` });
  }
  const ended: PromiseSettledResult<Awaited<ReturnType<Gateway['decide']>>>[] = [];
  for (let from = 0; from < parts.length; from += inFlight) {
    const wave = parts.slice(from, from + inFlight).map((part) => gateway.decide(name, part));
    ended.push(...(await Promise.allSettled(wave)));
  }
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const fault = failures.find((failure) => !(failure instanceof GatewayUnavailable));
  if (fault !== undefined || failures.length === parts.length) throw fault ?? failures[0];
  return parts.flatMap(({ items }, index) => answersOf(items, ended[index]));
}

function answersOf(
  items: DecideMessage['items'],
  end: PromiseSettledResult<Awaited<ReturnType<Gateway['decide']>>> | undefined,
): readonly SelectedAnswer[] {
  if (end?.status === 'fulfilled' && end.value.status === 'answered') return end.value.result.answers;
  if (end?.status === 'fulfilled') return items.map(({ findingId }) => ({ findingId, answer: 'sent' }));
  const hint = 'Temporal did not answer, and this part was not sent. Select what is left and send it again.';
  return items.map(({ findingId }) => ({ findingId, answer: 'refused', reason: 'not-sent', hint }));
}

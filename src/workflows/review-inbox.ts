import { ApplicationFailure, log } from '@temporalio/workflow';
import { type DecideMessage, decideRefusals, maxDecisionItems } from '../contract/review-messages.ts';
import type { DecisionRequest } from '../domain/decision.ts';

/** How long a decision that came by signal is meant, as nobody waits for its answer. */
const signalMeantForMs = 60 * 60 * 1_000;

/** Refuses a decision before anything is written: one of wrong shape, or one that the next run should take. */
export function refuseDecision(message: DecideMessage, renewing: boolean): void {
  if (renewing) {
    throw ApplicationFailure.nonRetryable(
      'The review is about to renew itself. Send it again.',
      decideRefusals.renewing,
    );
  }
  const flaw = flawOf(message);
  if (flaw !== undefined) throw ApplicationFailure.nonRetryable(flaw, decideRefusals.malformed);
}

/**
 * Reads the signal `approve`, sent with the Temporal command line or UI:
 * `{"items":[{"findingId":"…","digest":"…"}],"actor":"name","reason":"…"}`. A signal has no answer, so one that is not
 * of this form is logged and dropped.
 */
export function approveMessage(raw: unknown, requestKey: string, now: number): DecideMessage | undefined {
  const { items, actor, reason } = isRecord(raw) ? raw : {};
  const message: DecideMessage = {
    items: (Array.isArray(items) ? items : []).map(
      (item: unknown): DecisionRequest => ({
        findingId: textOf(isRecord(item) ? item['findingId'] : undefined),
        digest: textOf(isRecord(item) ? item['digest'] : undefined),
        action: 'approve',
      }),
    ),
    // Whoever may signal may name anybody: as trusted as access to the namespace, and recorded as such.
    actor: { name: textOf(actor), verified: false, via: 'temporal' },
    requestKey,
    notAfter: now + signalMeantForMs,
    ...(typeof reason === 'string' ? { reason } : {}),
  };
  const flaw = flawOf(message);
  if (flaw === undefined) return message;
  log.warn(`signal approve is dropped: ${flaw}`);
  return undefined;
}

/** Whether one more message can be handed on to the next run: so many items are small enough to be its input. */
export function fitsBeside(messages: readonly DecideMessage[], more: DecideMessage): boolean {
  const items = [...messages, more].reduce((sum, message) => sum + message.items.length, 0);
  return items <= maxDecisionItems;
}

const actions: readonly string[] = [
  'approve',
  'reject',
  'keep',
  'accept',
  'repoint',
] satisfies DecisionRequest['action'][];

function flawOf(message: unknown): string | undefined {
  if (!isRecord(message)) return 'A decision is an object with items, actor, requestKey and notAfter.';
  const { items, actor, requestKey, notAfter } = message;
  if (!Array.isArray(items) || items.length === 0) return 'items must name at least one finding.';
  if (items.length > maxDecisionItems)
    return `items may name at most ${maxDecisionItems} findings; send several decisions.`;
  if (!isRecord(actor) || textOf(actor['name']) === '') return 'actor.name must say who decides.';
  if (textOf(requestKey) === '') return 'requestKey must be a text that is new for each decision.';
  if (typeof notAfter !== 'number' || !Number.isFinite(notAfter)) return 'notAfter must be Unix milliseconds.';
  const bad = items.findIndex((item) => !isItem(item));
  return bad < 0 ? undefined : `items[${bad}] needs findingId, digest and an action of ${actions.join(', ')}.`;
}

function isItem(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const { findingId, digest, action, keepUntil } = item;
  const until = keepUntil === undefined || (typeof keepUntil === 'number' && Number.isFinite(keepUntil));
  return textOf(findingId) !== '' && textOf(digest) !== '' && actions.includes(textOf(action)) && until;
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= 500 ? value : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

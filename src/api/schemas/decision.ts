import { z } from 'zod';
import { maxDecisionItems } from '../../contract/review-messages.ts';
import { ActorView } from './actor.ts';
import { Digest, Id, queryNumber, Reason, Time } from './text.ts';

const DecisionAction = z.enum(['approve', 'reject', 'keep', 'accept', 'repoint']);

export const DecisionView = z.object({
  id: z.string(),
  finding: z.string(),
  action: DecisionAction,
  actor: ActorView,
  reason: z.string().exactOptional(),
  at: Time,
  digest: z.string(),
  expiresAt: Time.exactOptional(),
  keepUntil: Time.exactOptional(),
  standingKeep: z.string().exactOptional().meta({ description: 'The standing keep that it follows.' }),
  state: z.enum(['active', 'void', 'consumed', 'expired']),
  stateWhy: z.string().exactOptional(),
});
export type DecisionView = z.infer<typeof DecisionView>;

const DecisionItem = z
  .strictObject({
    findingId: Id,
    digest: Digest.meta({ description: 'The digest of the evidence that was seen.' }),
    action: DecisionAction,
    keepUntil: Time.exactOptional().meta({ description: 'For `keep`; absent keeps for good.' }),
  })
  .refine(({ action, keepUntil }) => action === 'keep' || keepUntil === undefined, {
    path: ['keepUntil'],
    message: 'goes with keep only',
  });

export const DecideBody = z.strictObject({
  items: z
    .array(DecisionItem)
    .min(1)
    .max(maxDecisionItems)
    .check(({ value, issues }) => {
      const seen = new Set<string>();
      for (const [index, { findingId }] of value.entries()) {
        if (seen.has(findingId)) {
          issues.push({
            code: 'custom',
            input: findingId,
            path: [index, 'findingId'],
            message: 'decided twice in one request',
          });
        }
        seen.add(findingId);
      }
    }),
  reason: Reason.exactOptional(),
});

/** Visible ASCII: the key becomes the id of an update and travels in headers. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters, no blank');

export const decideHeaders = z.object({ 'idempotency-key': IdempotencyKey.exactOptional() });

export const DecideAnswered = z.object({
  requestKey: z.string(),
  answers: z.array(
    z.discriminatedUnion('answer', [
      z.object({
        findingId: z.string(),
        answer: z.literal('accepted'),
        decisionId: z.string(),
        repeated: z.boolean(),
      }),
      z.object({ findingId: z.string(), answer: z.literal('refused'), reason: z.string(), hint: z.string() }),
    ]),
  ),
});
export type DecideAnswered = z.infer<typeof DecideAnswered>;

/** Sent, and not answered in time: it may still be carried out. The same key asks again without deciding twice. */
export const DecideSent = z.object({ requestKey: z.string(), updateId: z.string(), decisions: z.string() });

export const decisionsQuery = z.strictObject({
  finding: Id.exactOptional(),
  limit: queryNumber(1, 500).default(100),
});

export const DecisionList = z.object({ decisions: z.array(DecisionView) });

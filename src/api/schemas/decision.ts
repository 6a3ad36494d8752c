import { z } from 'zod';
import { maxDecisionItems } from '../../contract/review-messages.ts';
import { ActorView } from './actor.ts';
import { EntityKindView, FindingVerdict } from './kinds.ts';
import { Digest, Id, PathText, queryNumber, Reason, Time } from './text.ts';

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

/** What to do, and for `keep` until when: no other action has an end that a person gives. */
function deciding<T extends z.ZodRawShape>(shape: T) {
  return z.discriminatedUnion('action', [
    z.strictObject({ ...shape, action: DecisionAction.exclude(['keep']) }),
    z.strictObject({
      ...shape,
      action: z.literal('keep'),
      keepUntil: Time.exactOptional().meta({ description: 'Absent keeps for good.' }),
    }),
  ]);
}

const DecisionItem = deciding({
  findingId: Id,
  digest: Digest.meta({ description: 'The digest of the evidence that was seen.' }),
});

/** Findings one by one, each with the digest that was seen. */
const DecideItems = z.strictObject({
  items: z
    .array(DecisionItem)
    .min(1)
    .max(maxDecisionItems)
    .meta({ description: 'Each finding once; a second decision on one of them is refused with `decided-twice`.' }),
  reason: Reason.exactOptional(),
});

export const FindingFilter = z.strictObject({
  kind: EntityKindView.exactOptional(),
  verdict: FindingVerdict.exactOptional(),
  under: PathText.exactOptional().meta({ description: 'A container, by its path text, and everything inside.' }),
});

/** More than this belongs in several requests: each is answered item by item, while the caller waits. */
export const maxSelected = 10_000;

/** Every finding that matches, as long as they are the ones that were seen. */
const DecideSelection = deciding({
  filter: FindingFilter,
  count: z.int().min(1),
  digest: Digest.meta({ description: 'With the count, as `GET …/stale/selection` answered.' }),
  reason: Reason.exactOptional(),
});

export const DecideBody = z.union([DecideItems, DecideSelection]);

export const selectionQuery = FindingFilter.extend({ action: DecisionAction });

export const SelectionView = z.object({
  count: z.int(),
  digest: z.string().meta({ description: 'Over the id and the evidence of each, in order of path.' }),
});

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
      z.object({ findingId: z.string(), answer: z.literal('sent') }).meta({
        description: 'Not answered in time: it may still be carried out.',
      }),
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

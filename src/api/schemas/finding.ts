import { z } from 'zod';
import { CatalogStanding } from './catalog.ts';
import { DecisionView } from './decision.ts';
import { EntityKindView, FindingVerdict } from './kinds.ts';
import { nextCursor, pageQuery } from './page.ts';
import { PathText, Time } from './text.ts';
import { Coded } from './words.ts';

export const staleQuery = z.strictObject({
  ...pageQuery,
  kind: EntityKindView.exactOptional(),
  verdict: FindingVerdict.exactOptional(),
  state: z.enum(['open', 'rejected', 'closed', 'all']).default('open').meta({
    description: '`rejected`: settled by a person until their evidence changes, and not among the open ones.',
  }),
  path: PathText.exactOptional().meta({
    description: 'The open finding at exactly this path text, whatever the other members say.',
  }),
});

export const EvidenceView = z.object({
  source: z.string(),
  asked: z.string(),
  code: z.string(),
  principal: z.string(),
  fingerprint: z.string(),
  strength: z.enum(['conclusive', 'privilege-filtered', 'ambiguous']),
});

/** What would be lost with the registration. */
export const ImpactView = z.object({
  registrations: z.int().meta({ description: 'How many registrations would go, itself included.' }),
  attachments: z.union([
    z.object({
      owner: z.string().exactOptional(),
      comment: z.boolean(),
      tags: z.int(),
      policies: z.int(),
      grants: z.int(),
      properties: z.int(),
      secrets: z.array(z.string()).exactOptional().meta({
        description: 'Names of secrets: the one thing that a restore cannot bring back.',
      }),
    }),
    z.literal('unseen').meta({ description: 'The registry does not show them to us.' }),
  ]),
});

/** What the rules would answer to a decision. */
const Answer = z.object({
  possible: z.boolean(),
  reason: z.string().exactOptional(),
  hint: z.string().exactOptional(),
});

/** One stale registration: what was concluded, on which evidence, and what stands between it and its removal. */
export const FindingView = z.object({
  id: z.string(),
  kind: EntityKindView,
  path: z.string().meta({ description: 'Path text: segments joined by `/`.' }),
  segments: z.array(z.string()).min(1),
  registration: z.string(),
  version: z.string(),
  registeredAt: Time,
  state: z.enum(['open', 'closed']),
  closedWhy: z.string().exactOptional(),
  verdict: FindingVerdict,
  code: z.string(),
  evidence: EvidenceView,
  digest: z.string().meta({ description: 'Of everything a decision is bound to; give it back when deciding.' }),
  misses: z.int(),
  watchedMs: z.number().meta({ description: 'How much of the grace period was really watched.' }),
  firstMissedAt: Time,
  lastMissedAt: Time.exactOptional(),
  dueAt: Time.exactOptional().meta({ description: 'Announced under auto-remove; only ever moves later.' }),
  due: z.boolean(),
  ripe: z.boolean().meta({ description: 'Whether an approval can be acted on at once.' }),
  waits: z
    .array(Coded.extend({ waived: z.boolean() }))
    .meta({ description: 'What it waits for; `waived` by the approval in force.' }),
  approval: Answer.meta({ description: 'Whether `approve` would be accepted now, and what to do instead.' }),
  repoint: Answer.exactOptional().meta({
    description: 'Of a renamed object: whether `repoint` would be accepted now, and what to do instead.',
  }),
  movedTo: z.string().exactOptional(),
  taken: z.boolean().meta({ description: 'Whether the new name of a renamed object is registered already.' }),
  carrier: z.string().exactOptional().meta({ description: 'The outermost absent container, which carries this one.' }),
  inside: z.int(),
  blocker: Coded.extend({ path: z.string() }).exactOptional(),
  impact: ImpactView,
  decision: DecisionView.exactOptional(),
  openedAt: Time,
  updatedAt: Time,
});
export type FindingView = z.infer<typeof FindingView>;

export const StalePage = z.object({
  catalog: CatalogStanding,
  needs: z
    .object({ misses: z.int(), graceMs: z.number(), minimumAgeMs: z.number() })
    .meta({ description: 'What the policy in force asks of a finding before it may be removed.' }),
  rejected: z.int().meta({ description: 'Findings that `state=rejected` shows.' }),
  findings: z.array(FindingView),
  broken: z
    .array(z.object({ id: z.string(), why: z.string() }))
    .meta({ description: 'Rows on record that cannot be shown; they never hide the others.' }),
  next: nextCursor,
});
export type StalePage = z.infer<typeof StalePage>;

export const AttachmentsView = z.union([
  z.object({
    owner: z.string().exactOptional(),
    comment: z.string().exactOptional(),
    tags: z.array(z.string()),
    policies: z.array(z.string()),
    grants: z.array(z.object({ principal: z.string(), privilege: z.string() })),
    properties: z.record(z.string(), z.string()),
    secrets: z.array(z.string()).exactOptional().meta({ description: 'Names alone.' }),
  }),
  z.literal('unseen'),
]);

export const FindingDetail = z.object({
  catalog: CatalogStanding,
  finding: FindingView,
  attachments: AttachmentsView,
  decisions: z.array(DecisionView),
  history: z.array(
    z.object({
      at: Time,
      round: z.string().exactOptional(),
      what: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
});

import { z } from 'zod';
import { ActorView } from './actor.ts';
import { PolicyMode } from './catalog.ts';
import { keyHeaders } from './idempotency.ts';
import { nextCursor } from './page.ts';
import { Reason, Time } from './text.ts';

const Mode = PolicyMode.exactOptional();

const ModeByKind = z.object({ schema: Mode, table: Mode, view: Mode, topic: Mode });

const PolicyBody = z.object({
  mode: PolicyMode,
  modeByKind: ModeByKind,
  misses: z.int(),
  graceMs: z.number(),
  minimumAgeMs: z.number(),
  approveAttended: z.boolean(),
  approvalTtlMs: z.number(),
  fourEyes: z.boolean(),
  guard: z.object({
    maxShare: z.number(),
    minCount: z.number(),
    minProbedShare: z.number(),
    maxShrink: z.number(),
  }),
  removalsPerSecond: z.number(),
  removalBurst: z.number(),
  removalsPerRound: z.int(),
  removalsPerDay: z.int(),
  savedAttachmentsMs: z.number(),
  auditMs: z.number().exactOptional().meta({ description: 'Absent for ever.' }),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  protect: z.array(z.string()),
});

export const PolicyView = z.object({
  version: z.int().meta({ description: '0 where none was ever applied. Also the `ETag`, which `If-Match` takes.' }),
  intervalMs: z.int(),
  source: z.enum(['default', 'configuration', 'api']).meta({
    description: '`api`: a person changed what the configuration says; it holds until that says something else.',
  }),
  policy: PolicyBody,
});
export type PolicyView = z.infer<typeof PolicyView>;

export const PolicyChanged = PolicyView.extend({
  woken: z.boolean().meta({ description: 'False where Temporal could not be told at once.' }),
});

export const PolicyVersionView = PolicyView.extend({
  at: Time,
  actor: ActorView,
  reason: z.string().exactOptional(),
  changes: z
    .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
    .meta({ description: 'Every setting that differs from the version before.' }),
});
export type PolicyVersionView = z.infer<typeof PolicyVersionView>;

export const PolicyVersionPage = z.object({ versions: z.array(PolicyVersionView), next: nextCursor });

const year = 365 * 24 * 3_600_000;
const Length = z.int().min(0).max(year);
const Patterns = z.array(z.string().max(8_000)).max(1_000);

/** The bounds are those of the configuration: with wider ones a guard would hold nothing back. */
const Change = z.strictObject({
  mode: Mode,
  modeByKind: z.strictObject(ModeByKind.shape).exactOptional(),
  misses: z.int().min(2).max(100).exactOptional(),
  graceMs: Length.exactOptional(),
  minimumAgeMs: Length.exactOptional(),
  approveAttended: z.boolean().exactOptional(),
  approvalTtlMs: Length.min(60_000).exactOptional(),
  fourEyes: z.boolean().exactOptional(),
  guard: z
    .strictObject({
      maxShare: z.number().min(0).max(0.5).exactOptional(),
      minCount: z.int().min(0).max(1_000).exactOptional(),
      minProbedShare: z.number().min(0.1).max(1).exactOptional(),
      maxShrink: z.number().min(0).max(0.5).exactOptional(),
    })
    .exactOptional(),
  removalsPerSecond: z.number().min(0.0001).max(100).exactOptional(),
  removalBurst: z.int().min(1).max(100).exactOptional(),
  removalsPerRound: z.int().min(1).max(100_000).exactOptional(),
  removalsPerDay: z.int().min(1).max(1_000_000).exactOptional(),
  include: Patterns.exactOptional(),
  exclude: Patterns.exactOptional(),
  protect: Patterns.exactOptional(),
});

export const PolicyChangeBody = z.strictObject({
  change: Change.meta({
    description: 'What is named here replaces what is in force; within `guard`, member by member.',
  }),
  reason: Reason,
});

export type PolicyChangeBody = z.infer<typeof PolicyChangeBody>;

export const policyHeaders = keyHeaders.extend({
  'if-match': z
    .string()
    .regex(/^"?\d{1,9}"?$/, 'the version that was seen')
    .meta({ description: 'The `ETag` that was seen; another version is refused.' }),
});

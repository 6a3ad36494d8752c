import { z } from 'zod';
import { ActorView } from './actor.ts';
import { EntityKindView, VerdictCounts } from './kinds.ts';
import { nextCursor, pageQuery } from './page.ts';
import { Time } from './text.ts';
import { Coded, ReasonView } from './words.ts';

export const RoundState = z.enum([
  'running',
  'published',
  'scanned',
  'unreachable',
  'incomplete',
  'failed',
  'source-changed',
  'cancelled',
]);

export const RoundView = z.object({
  id: z.string(),
  catalog: z.string(),
  seq: z.int().meta({ description: 'Numbers the rounds of a catalog; 0 for a dry scan.' }),
  dry: z.boolean(),
  trigger: z.enum(['schedule', 'request']),
  requestedBy: ActorView,
  workflowId: z.string(),
  state: RoundState,
  reason: ReasonView.exactOptional(),
  startedAt: Time,
  endedAt: Time.exactOptional(),
  counts: z
    .object({
      registrations: z.int(),
      eligible: z.int(),
      verdicts: VerdictCounts,
      open: z.int(),
      due: z.int(),
    })
    .exactOptional(),
  guard: z
    .object({
      eligible: z.int().meta({ description: 'To be asked about, less what people keep.' }),
      conclusive: z.int().meta({ description: 'Of those, with a clear answer.' }),
      absent: z.int(),
      admitted: z.int().meta({ description: 'Of those, admitted by an override.' }),
      share: z.number().meta({ description: 'What the guard compares: absent and not admitted, of the conclusive.' }),
    })
    .exactOptional()
    .meta({ description: 'What the guard saw, whether it held the round or not, in report-only too.' }),
  hold: z.array(Coded),
});
export type RoundView = z.infer<typeof RoundView>;

export const RoundPage = z.object({ rounds: z.array(RoundView), next: nextCursor });

/** What a running round says of itself. */
export const LiveView = z.object({
  phase: z.enum([
    'opening',
    'checking',
    'listing',
    'probing',
    'settling',
    'checking-again',
    'judging',
    'publishing',
    'done',
  ]),
  totals: z.object({
    registrations: z.int(),
    eligible: z.int(),
    probed: z.int(),
    verdicts: VerdictCounts,
  }),
  samples: z.array(z.object({ path: z.string(), kind: EntityKindView, code: z.string() })),
});
export type LiveView = z.infer<typeof LiveView>;

/** One round: what is on record, with live progress as long as it runs. */
export const RoundDetail = z.object({
  id: z.string(),
  dry: z.boolean(),
  state: RoundState,
  from: z
    .enum(['ledger', 'ledger+live', 'live'])
    .meta({ description: 'Where the answer comes from; `live` alone: a worker began it and it is not on record yet.' }),
  record: RoundView.exactOptional(),
  live: LiveView.exactOptional(),
  liveMissing: z.string().exactOptional().meta({ description: 'Why a running round shows no progress.' }),
});
export type RoundDetail = z.infer<typeof RoundDetail>;

/** How far a running round is, as its stream of events tells. */
export const RoundProgress = z.object({
  id: z.string(),
  state: RoundState,
  at: Time,
  phase: LiveView.shape.phase.exactOptional().meta({ description: 'Absent while no worker answers.' }),
  totals: LiveView.shape.totals.exactOptional(),
  perSecond: z.number().exactOptional().meta({ description: 'Objects probed in a second, over the last few looks.' }),
  liveMissing: z.string().exactOptional().meta({ description: 'Why there is no progress to tell.' }),
});
export type RoundProgress = z.infer<typeof RoundProgress>;

/** One of the events of a stream: what readers of the document take the schema of `text/event-stream` for. */
export const RoundEvent = z
  .object({
    event: z.enum(['progress', 'end', 'over']),
    data: z.string().meta({ description: 'JSON, of what the event says.' }),
  })
  .meta({
    description:
      'Each of the server-sent events. `progress` with a RoundProgress each time something changed; comments in between ' +
      'keep the connection alive; `end` with the round as `GET …/rounds/{roundId}` answers, after which nothing comes; ' +
      '`over` with `{why}` where the stream ends before the round: connect again, or ask for the round.',
  });

export const absentQuery = z.strictObject({ ...pageQuery, kind: EntityKindView.exactOptional() });

/** Registrations that the scan of a round found absent. */
export const AbsentPage = z.object({
  state: RoundState.meta({ description: '`running`: the list is still growing.' }),
  absent: z.array(
    z.object({
      registration: z.string(),
      kind: EntityKindView,
      path: z.string(),
      probedAt: Time,
      firstMissedAt: Time.exactOptional(),
      removed: z.boolean(),
    }),
  ),
  next: nextCursor,
});

import { z } from 'zod';
import { ActorView } from './actor.ts';
import { CatalogStanding } from './catalog.ts';
import { Reason, Time, queryNumber, wellFormed } from './text.ts';

/** Longer than any path that is not made to be long; whether it can be read is asked of whoever reads it. */
const Pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine(...wellFormed);

export const KeepBody = z.strictObject({
  pattern: Pattern.meta({
    description: 'A name pattern over `schema/table`, as in the configuration: `sales/**` is the schema and all in it.',
  }),
  keepUntil: Time.exactOptional().meta({ description: 'Absent keeps for good.' }),
  reason: Reason.exactOptional(),
});

export const KeepView = z.object({
  id: z.string(),
  pattern: z.string(),
  actor: ActorView,
  reason: z.string().exactOptional(),
  at: Time,
  keepUntil: Time.exactOptional(),
  state: z.enum(['active', 'expired', 'ended']).meta({ description: '`ended`: taken back by a person.' }),
  ended: z.object({ at: Time, by: ActorView }).exactOptional(),
});
export type KeepView = z.infer<typeof KeepView>;

export const KeepOrdered = z.object({
  keep: KeepView,
  kept: z.int().meta({ description: 'Open findings that are kept by it from now on.' }),
});

export const KeepEnded = z.object({
  catalog: CatalogStanding,
  woken: z.boolean().meta({ description: 'False where Temporal could not be told; removals notice later.' }),
  keep: KeepView,
  released: z.int().meta({ description: 'Findings that were kept by it.' }),
});

export const keepsQuery = z.strictObject({ limit: queryNumber(1, 500).default(100) });

export const KeepList = z.object({ keeps: z.array(KeepView) });

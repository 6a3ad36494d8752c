import { z } from 'zod';
import { ActorView } from './actor.ts';
import { RemovalView } from './removal.ts';
import { Reason, Time } from './text.ts';

export const RestoreBody = z.strictObject({ reason: Reason.exactOptional() }).default({});

/** The undoing of a removal: asked for, carried out by the catalog's review, and settled. */
export const RestoreView = z.object({
  id: z.string(),
  removal: z.string().meta({ description: 'The removal that is undone, with everything that went with it.' }),
  actor: ActorView,
  reason: z.string().exactOptional(),
  at: Time,
  state: z.enum(['requested', 'settled']),
  outcome: z.enum(['restored', 'refused']).exactOptional(),
  outcomeReason: z.string().exactOptional(),
  warnings: z
    .array(z.object({ path: z.string(), what: z.string() }))
    .meta({ description: 'What could not be given back, item by item.' }),
  entities: z.int().meta({ description: 'Registrations that came back.' }),
  settledAt: Time.exactOptional(),
});
export type RestoreView = z.infer<typeof RestoreView>;

export const RemovalDetail = z.object({
  removal: RemovalView,
  restores: z.array(RestoreView).meta({ description: 'Wishes to undo it, newest first.' }),
});

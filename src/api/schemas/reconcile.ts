import { z } from 'zod';
import { Time } from './text.ts';

export const ReconcileBody = z
  .strictObject({
    dryRun: z.boolean().exactOptional().meta({ description: 'True looks only: nothing is judged, nothing removed.' }),
  })
  .default({});

export const preferHeader = z.object({
  prefer: z
    .string()
    .max(1_000)
    .exactOptional()
    .meta({ description: '`wait=N`: answer within N seconds, 0 to 120; 30 where not given.' }),
});

export const StaleSchemas = z.object({
  catalog: z.string(),
  catalogUnreachable: z.boolean().meta({
    description: 'True says that the source could not be asked; nothing is concluded, and the list is empty.',
  }),
  staleSchemas: z.array(
    z.object({
      name: z.string().meta({ description: 'Levels of a hierarchical schema joined by `.`.' }),
      detectedAt: Time.meta({ description: 'When it was missing for the first time, Unix milliseconds.' }),
      removed: z.boolean().meta({ description: 'Whether the registration is gone at the time of the answer.' }),
    }),
  ),
});
export type StaleSchemas = z.infer<typeof StaleSchemas>;

/** The round outlasts the wait; it goes on, and these addresses tell of it. */
export const RoundStarted = z.object({
  catalog: z.string(),
  roundId: z.string(),
  dryRun: z.boolean(),
  joined: z.boolean().meta({ description: 'Whether a round that already ran was joined.' }),
  round: z.string(),
  absent: z.string(),
});
export type RoundStarted = z.infer<typeof RoundStarted>;

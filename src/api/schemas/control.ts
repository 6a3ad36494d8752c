import { z } from 'zod';
import { CatalogStanding } from './catalog.ts';
import { Reason, Time } from './text.ts';

export const ReasonBody = z.strictObject({ reason: Reason });
export const EmptyBody = z.strictObject({}).default({});

/** Longer than a month is no longer an exception but a policy. */
const maxOverrideSecs = 31 * 24 * 3_600;

export const OverrideBody = z.strictObject({
  maxCount: z.int().min(1).max(1_000_000).meta({
    description: 'At most so many registrations may go under it; whatever is inside a container counts.',
  }),
  expiresInSecs: z.int().min(1).max(maxOverrideSecs),
  reason: Reason,
});

/** After a change that the review should look at. `woken` is false where Temporal could not be told. */
export const Controlled = z.object({ catalog: CatalogStanding, woken: z.boolean() });

export const Overridden = Controlled.extend({
  override: z.object({
    id: z.string(),
    admits: z.int().meta({ description: 'How many findings it covers; each keeps its guard beyond that.' }),
    maxCount: z.int(),
    expiresAt: Time,
  }),
});

export const ImportAnswer = z.object({
  catalog: z.string(),
  added: z.int(),
  existing: z.int(),
  skipped: z.int().meta({ description: 'Objects of kinds that are never registered.' }),
});

import { z } from 'zod';
import { ActorView } from './actor.ts';
import { CatalogStanding } from './catalog.ts';
import { Reason, Time, queryNumber } from './text.ts';

export const ReasonBody = z.strictObject({ reason: Reason });
/** A body may be left out, as it could before it had anything to say. */
export const ResumeBody = z.strictObject({ reason: Reason.exactOptional() }).default({});
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
    state: z.enum(['requested', 'active']).meta({
      description: '`requested`: under four eyes it admits nothing before somebody else approved it.',
    }),
  }),
});

export const OverrideView = z.object({
  id: z.string(),
  actor: ActorView,
  reason: z.string(),
  admits: z.int().meta({ description: 'How many findings it covers.' }),
  maxCount: z.int(),
  used: z.int().meta({ description: 'Registrations that went under it.' }),
  at: Time,
  expiresAt: Time,
  state: z.enum(['requested', 'active', 'used-up', 'expired']),
  approved: z.object({ by: ActorView, at: Time }).exactOptional(),
});

export const OverrideApproved = Controlled.extend({ override: OverrideView });

export const overridesQuery = z.strictObject({ limit: queryNumber(1, 500).default(100) });

export const OverrideList = z.object({ overrides: z.array(OverrideView) });

export const ImportAnswer = z.object({
  catalog: z.string(),
  added: z.int(),
  existing: z.int(),
  skipped: z.int().meta({ description: 'Objects of kinds that are never registered.' }),
});

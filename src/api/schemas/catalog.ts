import { z } from 'zod';
import { nextCursor, pageQuery } from './page.ts';
import { RoundState } from './round.ts';
import { Name, Time } from './text.ts';
import { Coded, ReasonView } from './words.ts';

export const CatalogStateView = z.enum([
  'never-scanned',
  'ok',
  'unreachable',
  'incomplete',
  'failed',
  'source-changed',
]);

export const PolicyMode = z.enum(['report-only', 'auto-remove']);

/** Where a catalog stands, and what holds its removals back. */
export const CatalogStanding = z.object({
  metalake: z.string(),
  catalog: z.string(),
  address: z.string().meta({ description: '`metalake/catalog` as a path text, as the command line takes it.' }),
  state: CatalogStateView,
  stateText: z.string(),
  stateReason: ReasonView.exactOptional(),
  stateSince: Time.exactOptional(),
  hold: z
    .array(Coded)
    .meta({ description: 'Why the last published round must not lead to removals; empty if it may.' }),
  pause: z.object({ by: z.string(), reason: z.string(), at: Time }).exactOptional(),
  stop: Coded.extend({ at: Time })
    .exactOptional()
    .meta({ description: 'Why the removal loop stopped by itself; a published round or `resume` clears it.' }),
  published: z.object({ round: z.string(), at: Time }).exactOptional(),
});
export type CatalogStanding = z.infer<typeof CatalogStanding>;

/** A catalog at a glance. */
export const CatalogGlance = CatalogStanding.extend({
  registered: z
    .enum(['yes', 'no', 'unknown'])
    .meta({ description: 'Whether the registry lists it now; `unknown` where the registry does not answer.' }),
  lastRound: z
    .object({ id: z.string(), dry: z.boolean(), state: RoundState, startedAt: Time, endedAt: Time.exactOptional() })
    .exactOptional(),
  open: z.int(),
  due: z.int(),
  approved: z.int(),
  rejected: z.int(),
  policy: z.object({ mode: PolicyMode, version: z.int() }),
});
export type CatalogGlance = z.infer<typeof CatalogGlance>;

export const overviewQuery = z.strictObject({
  ...pageQuery,
  metalake: Name.exactOptional(),
  name: Name.exactOptional().meta({ description: 'Only catalogs of this name, in any metalake.' }),
});

export const Overview = z.object({
  catalogs: z.array(CatalogGlance),
  metalakes: z.array(
    z.object({
      name: z.string(),
      registry: z.string(),
      answered: z.boolean(),
      why: z.string().exactOptional(),
    }),
  ),
  next: nextCursor,
});

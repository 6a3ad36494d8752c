import { z } from 'zod';
import { ActorView } from './actor.ts';
import { EntityKindView } from './kinds.ts';
import { nextCursor } from './page.ts';
import { Time } from './text.ts';

export const RemovalView = z.object({
  id: z.string().meta({ description: 'The intent that preceded it.' }),
  action: z.enum(['remove', 'repoint']),
  finding: z.string(),
  registration: z.string(),
  kind: EntityKindView,
  path: z.string(),
  movedTo: z.string().exactOptional().meta({ description: 'The new name, of one that was to be re-pointed.' }),
  actor: ActorView,
  outcome: z.string(),
  outcomeText: z.string(),
  reason: z.string(),
  entities: z.int().meta({ description: 'Registrations that went with it, itself included.' }),
  evidence: z.string().meta({ description: 'Digest of the evidence acted on.' }),
  at: Time,
});

export const RemovalPage = z.object({ removals: z.array(RemovalView), next: nextCursor });

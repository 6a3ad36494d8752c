import { z } from 'zod';
import { isPrintable } from './text.ts';

/** Longer than any user name or e-mail address; it is stored with every row that the actor causes. */
export const maxActorNameLength = 200;

/** Whether a claim of any kind can be the name of somebody who acts. */
export function isActorName(claim: unknown): claim is string {
  return typeof claim === 'string' && claim.length <= maxActorNameLength && isPrintable(claim);
}

export const ActorView = z.object({
  name: z.string(),
  verified: z.boolean().meta({ description: 'False until a credential proved the name.' }),
  via: z.enum(['api', 'cli', 'temporal', 'reconciler']),
});

import { z } from 'zod';

export const ActorView = z.object({
  name: z.string(),
  verified: z.boolean().meta({ description: 'False until a credential proved the name.' }),
  via: z.enum(['api', 'cli', 'temporal', 'reconciler']),
});

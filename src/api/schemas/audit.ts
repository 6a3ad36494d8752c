import { z } from 'zod';
import { ActorView } from './actor.ts';
import { PathText, queryNumber, Time } from './text.ts';

export const auditQuery = z.strictObject({
  after: queryNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  before: queryNumber(1, Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .meta({ description: 'Newest first, before this number; then `after` is not looked at.' }),
  limit: queryNumber(1, 500).default(100),
  catalog: PathText.exactOptional().meta({ description: '`metalake/catalog` as a path text.' }),
});

export const AuditPage = z.object({
  entries: z.array(
    z.object({
      id: z.int(),
      at: Time,
      catalog: z.string().exactOptional(),
      actor: ActorView,
      action: z.string(),
      subject: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
  next: z.int().exactOptional().meta({
    description: 'Give it back as `after`, or as `before` where that was asked; absent where nothing follows yet.',
  }),
});

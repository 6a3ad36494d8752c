import { z } from 'zod';

/** Visible ASCII: the key becomes the id of an update and travels in headers. */
const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters, no blank')
  .meta({
    description:
      'The same request under the same key is carried out once, and answered the same again for 24 hours, with header ' +
      '`Idempotent-Replayed`. A request that was refused leaves its key free.',
  });

export const keyHeaders = z.object({ 'idempotency-key': IdempotencyKey.exactOptional() });

import { z } from 'zod';
import { ReconcilerFailure } from '../../domain/failure.ts';

/**
 * Where a database is and who asks, as the registry's catalog states it. The password travels apart.
 *
 * `sslmode` is `disable` (default), `require` (encrypted, the server's certificate is not checked), `verify-ca` or
 * `verify-full`. libpq's `prefer` is not offered: it encrypts or not as it happens.
 */
export const PostgresSettings = z.strictObject(
  {
    host: z.string('host is missing').min(1, 'host is empty'),
    port: z
      .string()
      .default('5432')
      .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, {
        error: 'port must be a whole number from 1 to 65535',
      })
      .transform(Number),
    database: z.string('database is missing').min(1, 'database is empty'),
    user: z.string('user is missing').min(1, 'user is empty'),
    sslmode: z
      .enum(['disable', 'require', 'verify-ca', 'verify-full'], {
        error: 'sslmode must be disable, require, verify-ca or verify-full',
      })
      .default('disable'),
    /** File with the certificates (PEM) to trust instead of the well-known ones. */
    sslrootcert: z.string().min(1, 'sslrootcert is empty').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `a PostgreSQL catalog has no setting ${(issue.keys as string[]).join(', ')}`
        : undefined,
  },
);
export type PostgresSettings = z.infer<typeof PostgresSettings>;

/** The settings, or one failure that names everything wrong with them. */
export function readSettings(given: Readonly<Record<string, string>>): PostgresSettings {
  const read = PostgresSettings.safeParse(given);
  if (read.success) return read.data;
  const message = read.error.issues.map((issue) => issue.message).join('; ');
  throw new ReconcilerFailure('InvalidRequest', 'postgresql-settings', message);
}

/** How messages call the database. */
export function addressOf({ host, port, database }: PostgresSettings): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

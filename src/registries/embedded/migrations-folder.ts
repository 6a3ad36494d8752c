import { fileURLToPath } from 'node:url';

/** Beside this file in the sources and in the build alike. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * The table that remembers which migrations ran. Not drizzle's default: the ledger may live in the same database, and
 * the migrator looks at the newest row of its table only.
 */
export const migrationsTable = 'embedded_registry_migrations';

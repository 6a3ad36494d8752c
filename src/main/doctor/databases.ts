import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Config } from '../../config/config.ts';
import { migrationsFolder as ledgerMigrations } from '../../ledger/database.ts';
import * as ledgerSchema from '../../ledger/schema.ts';
import {
  migrationsFolder as registryMigrations,
  migrationsTable,
} from '../../registries/embedded/migrations-folder.ts';
import * as lakeSchema from '../../registries/embedded/lake/lake-schema.ts';
import * as registrySchema from '../../registries/embedded/schema.ts';
import { ledgerMigrationsTable } from '../services.ts';
import { ownerOfDataFolder } from '../data-folder.ts';
import { counted } from './configuration.ts';
import { type DatabaseReport, lookAtDatabase, type ReadOnly } from './database-look.ts';
import { type Diagnosis, diagnosing, inTime, whyOf } from './diagnosis.ts';

/** Opening takes 5 s at most, and each question is one of the catalog tables. */
const withinMs = 10_000;

const of = {
  ledger: {
    tables: tablesOf(ledgerSchema),
    migrations: { folder: ledgerMigrations, table: ledgerMigrationsTable },
  },
  registry: {
    tables: [...tablesOf(registrySchema), ...tablesOf(lakeSchema)],
    migrations: { folder: registryMigrations, table: migrationsTable },
  },
} as const;

/** What there is to tell about one database, and what else was read in it; nothing where it cannot be read. */
export interface DatabaseFound<T> {
  readonly diagnoses: readonly Diagnosis[];
  readonly read?: T;
}

/** Looks at the ledger's or the embedded registry's database. Writes nothing, not even where migrations are missing. */
export async function databaseFound<T>(
  what: 'ledger' | 'registry',
  config: Config,
  read: (tx: ReadOnly) => Promise<T>,
): Promise<DatabaseFound<T>> {
  const settings = config[what];
  if (settings === undefined) return { diagnoses: [await embedded(what, config.dataDir)] };
  const { wrong } = diagnosing(what);
  try {
    const { report, more } = await inTime(withinMs, () =>
      lookAtDatabase(settings.url.reveal(), of[what], withinMs, async (tx, { migrations, tables }) =>
        tables > 0 && migrations.pending === 0 ? { read: await read(tx) } : {},
      ),
    );
    return { diagnoses: told(what, settings.shown, report), ...more };
  } catch (error) {
    const mend = `check ${what}.url, ${what}.password, and that the server runs and lets us in`;
    return { diagnoses: [wrong(settings.shown, `cannot be read: ${whyOf(rootOf(error))}`, mend)] };
  }
}

function told(what: 'ledger' | 'registry', shown: string, report: DatabaseReport): readonly Diagnosis[] {
  const { ok, warning, wrong } = diagnosing(what);
  const { version, user, migrations, tables, forbidden } = report;
  const diagnoses = [
    ok(shown, `PostgreSQL ${version} as ${user}; ${counted(tables, 'table')} of ours, ${megabytes(report.bytes)}`),
  ];
  if (report.readOnly) {
    diagnoses.push(wrong(shown, 'takes no writes (a standby, or read only)', `name the primary in ${what}.url`));
  }
  if (migrations.ahead) {
    const text = 'a newer version has brought it up to date';
    diagnoses.push(wrong('migrations', text, 'run that version, or restore the back-up from before it'));
  } else if (migrations.pending > 0 && !report.mayCreate && tables === 0) {
    const mend = `grant it: GRANT CREATE ON DATABASE "${report.database}" TO "${user}"`;
    diagnoses.push(wrong('migrations', `not set up yet, and ${user} may create nothing here`, mend));
  } else if (migrations.pending > 0) {
    const text = tables === 0 ? 'not set up yet' : `${migrations.pending} of ours did not run yet`;
    diagnoses.push(
      warning('migrations', text, 'nothing: the next start of `api`, `worker` or `schedules apply` does it'),
    );
  } else {
    diagnoses.push(ok('migrations', `all ${migrations.applied} ran`));
  }
  if (forbidden.length > 0) {
    const text = `${user} may not read and write ${forbidden.slice(0, 3).join(', ')}`;
    const more = forbidden.length > 3 ? ` and ${forbidden.length - 3} more` : '';
    diagnoses.push(wrong('rights', text + more, `make ${user} the owner of these tables, or grant it all rights`));
  }
  if (report.superuser) {
    const text = `${user} is a superuser, which is more than it takes`;
    diagnoses.push(warning('rights', text, 'use a role that owns this database and nothing else'));
  }
  return diagnoses;
}

/** An embedded database has one door, and opening it writes: only what the file system says is told. */
async function embedded(what: 'ledger' | 'registry', dataDir: string): Promise<Diagnosis> {
  const { ok, skipped, wrong } = diagnosing(what);
  const folder = join(dataDir, what);
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
    await access(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return skipped('embedded', `not there yet; \`up\` makes it in ${folder}`);
    }
    return wrong('embedded', `${folder} cannot be used: ${whyOf(error)}`, 'give this user the folder, or set dataDir');
  }
  const owner = await ownerOfDataFolder(dataDir);
  if (owner === undefined) return skipped('embedded', `in ${folder}; nobody has it open, and looking would write`);
  return ok('embedded', `in ${folder}, which process ${owner.pid} has open`);
}

function tablesOf(schema: object): readonly PgTable[] {
  return Object.values(schema).filter((part): part is PgTable => is(part, PgTable));
}

function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Drizzle puts the statement and its parameters around what the server said. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;
}

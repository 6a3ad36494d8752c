import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { quoted } from './demo/catalog-plan.ts';

/** Where an embedded database lies and what it calls itself. */
export interface EmbeddedDatabase {
  readonly folder: string;
  readonly database: string;
}

/** Every cluster is made with it. */
const firstDatabase = 'postgres';

/**
 * Makes the folders that are missing, each a cluster with a database of that name in it.
 *
 * A new cluster takes seconds, a copy of one takes a fraction of that. The databases get different oids in the one
 * cluster, so that a fingerprint still tells the copies apart. Each folder is moved into place when it is whole: one
 * that was killed half-way is made again, never opened.
 *
 * @param draft a folder on the same disk that nobody else uses; gone afterwards
 */
export async function makeEmbeddedDatabases(wanted: readonly EmbeddedDatabase[], draft: string): Promise<void> {
  const missing = wanted.filter(({ folder }) => !existsSync(folder));
  if (missing.length === 0) return;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const cluster = join(draft, 'cluster');
  const db = await PGlite.create({ dataDir: cluster });
  for (const { database } of wanted) {
    if (database !== firstDatabase) await db.exec(`create database ${quoted([database])}`);
  }
  await db.close();
  const [last, ...others] = missing;
  for (const { folder } of missing) await mkdir(dirname(folder), { recursive: true });
  for (const { folder } of others) {
    const copy = join(draft, 'copy');
    await cp(cluster, copy, { recursive: true });
    await rename(copy, folder);
  }
  if (last !== undefined) await rename(cluster, last.folder);
  await rm(draft, { recursive: true });
}

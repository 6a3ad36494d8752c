import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { insideBounds, pathText, type Path } from '../domain/path.ts';
import type { RememberedIdentity } from '../domain/verdict.ts';
import { catalogRow } from './catalog-row.ts';
import { type LedgerDatabase, rowsAStatement } from './database.ts';
import type { CatalogKey, RemovalLedger } from './ledger.ts';
import { openIntentOf } from './removals-intent.ts';
import { readPath } from './rows.ts';
import { catalogs, identities, savedAttachments, snapshot } from './schema.ts';

/** Six values a row, and a statement carries 65,535 at most. */
const rowsAnInsert = 5_000;

type Inside = Awaited<ReturnType<RemovalLedger['judgedInside']>>;
type Saved = Parameters<RemovalLedger['saveAttachments']>[1];

export async function judgedInside(db: LedgerDatabase, catalog: CatalogKey, container: Path): Promise<Inside> {
  const intent = await openIntentOf(db, catalog);
  const isOfContainer = intent !== undefined && pathText(intent.path) === pathText(container);
  const round = isOfContainer ? intent.round : (await catalogRow(db, catalog))?.publishedRound;
  if (round === undefined || round === null) return [];
  const { above, below } = insideBounds(container);
  const inside: Inside[number][] = [];
  for (let after = above; ; ) {
    const rows = await db
      .select({ id: snapshot.entity, version: snapshot.version, kind: snapshot.kind, path: snapshot.path })
      .from(snapshot)
      .where(and(eq(snapshot.round, round), gt(snapshot.path, after), lt(snapshot.path, below)))
      .orderBy(asc(snapshot.path))
      .limit(rowsAStatement);
    for (const row of rows) inside.push({ ...row, path: readPath(row.path) });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAStatement) return inside;
    after = last.path;
  }
}

/** Only those under the fingerprint that the catalog is known by: another source's identities say nothing. */
export async function identitiesOf(
  db: LedgerDatabase,
  catalog: CatalogKey,
  entities: readonly string[],
): Promise<ReadonlyMap<string, RememberedIdentity>> {
  const known = new Map<string, RememberedIdentity>();
  for (let from = 0; from < entities.length; from += rowsAStatement) {
    const rows = await db
      .select({ entity: identities.entity, uid: identities.uid, found: identities.found })
      .from(identities)
      .innerJoin(catalogs, and(eq(catalogs.key, identities.catalog), eq(catalogs.fingerprint, identities.fingerprint)))
      .where(
        and(eq(identities.catalog, catalog), inArray(identities.entity, entities.slice(from, from + rowsAStatement))),
      );
    for (const { entity, uid, found } of rows) known.set(entity, { found, ...(uid === null ? {} : { uid }) });
  }
  return known;
}

export async function saveAttachments(db: LedgerDatabase, intent: string, entities: Saved): Promise<void> {
  await db.transaction(async (tx) => {
    for (let from = 0; from < entities.length; from += rowsAnInsert) {
      const rows = entities.slice(from, from + rowsAnInsert);
      await tx
        .insert(savedAttachments)
        .values(rows.map((row) => ({ ...row, intent, path: pathText(row.path) })))
        .onConflictDoUpdate({
          target: [savedAttachments.intent, savedAttachments.entity],
          set: {
            kind: sql`excluded.kind`,
            path: sql`excluded.path`,
            version: sql`excluded.version`,
            body: sql`excluded.body`,
          },
        });
    }
  });
}

import { type SQL, and, count, eq, gte, inArray, isNull } from 'drizzle-orm';
import { type Path, pathText } from '../../domain/path.ts';
import type { Attachments, EntityKind } from '../../domain/registration.ts';
import type { RegistrationPage } from '../registry.ts';
import { attachmentColumns, attachmentsOf } from './attachment-rows.ts';
import type { CatalogName, CatalogRow } from './catalog-row.ts';
import type { EmbeddedDatabase } from './database.ts';
import { findNamed } from './entity-rows.ts';
import { type NameSpace, nameSpaceOf } from './name-space.ts';
import { type PagePosition, behind, cursorOf, invalidCursor, parseCursor } from './page-cursor.ts';
import { pageRows } from './page-rows.ts';
import { RegistryRefusal } from './refusal.ts';
import { pathOf, registrationOf } from './registration-rows.ts';
import { entities, tombstones } from './schema.ts';

/** Rows a page: some 50 ms of work, and a page of them stays below a megabyte. */
export const longestPage = 5_000;

/** Ids a question about attachments: what one judged page needs, in one statement. */
export const mostIds = 1_000;

export interface PageRequest {
  readonly after?: string;
  readonly limit: number;
}

/** What of a catalog to list: everything of it, or what lies directly in one place. */
export type Listed = 'everything' | { readonly kind: EntityKind; readonly in: Path | undefined };

/** One page in path order, containers before their contents. */
export async function pageOf(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  listed: Listed,
  page: PageRequest,
): Promise<RegistrationPage> {
  const position = page.after === undefined ? undefined : (parseCursor(page.after) ?? invalidCursor());
  const place = listed === 'everything' ? undefined : await placeOf(db, catalog, listed);
  if (position !== undefined && place !== undefined && !isIn(position, place)) invalidCursor();
  const limit = Math.min(Math.max(1, page.limit), longestPage);
  const here = and(
    eq(entities.catalogId, catalog.id),
    place?.condition,
    position === undefined ? undefined : behind(position),
  );
  const rows = await pageRows(db, here, limit + 1); // one more tells whether this is the last page
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map((row) => registrationOf(catalog, row)),
    ...(rows.length > limit && last !== undefined
      ? { next: cursorOf({ pathKey: last.pathKey, nameSpace: nameSpaceOf(last.kind) }) }
      : {}),
  };
}

interface Place {
  readonly nameSpace: NameSpace;
  readonly path: readonly string[];
  readonly condition: SQL | undefined;
}

async function placeOf(db: EmbeddedDatabase, catalog: CatalogRow, listed: Exclude<Listed, string>): Promise<Place> {
  const nameSpace = nameSpaceOf(listed.kind);
  const isKind = eq(entities.kind, listed.kind);
  if (listed.in === undefined) return { nameSpace, path: [], condition: and(isNull(entities.parentId), isKind) };
  const parent = await findNamed(db, catalog, 'schema', listed.in);
  if (parent === undefined) throw new RegistryRefusal('not-found', `no schema ${JSON.stringify(listed.in)}`);
  return { nameSpace, path: parent.path, condition: and(eq(entities.parentId, parent.id), isKind) };
}

/** Whether a page of that place could have ended there. */
function isIn({ nameSpace, pathKey }: PagePosition, place: Place): boolean {
  return nameSpace === place.nameSpace && pathText(pathOf(pathKey).slice(0, -1)) === pathText(place.path);
}

export async function countOf(db: EmbeddedDatabase, catalog: CatalogRow): Promise<number> {
  const [row] = await db.select({ all: count() }).from(entities).where(eq(entities.catalogId, catalog.id));
  return row?.all ?? 0;
}

/** What is attached to each of the ids, all in one statement; an id that is gone has no entry. */
export async function attachmentsById(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Attachments>> {
  if (ids.length > mostIds) throw new RangeError(`attachments of at most ${mostIds} ids at a time`);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: entities.id, ...attachmentColumns })
    .from(entities)
    .where(and(eq(entities.catalogId, catalog.id), inArray(entities.id, [...ids])));
  return new Map(rows.map((row) => [row.id, attachmentsOf(row)]));
}

/** Drops at that time or later, by removal or by a person, each entity of a cascade counted. */
export async function dropsSince(db: EmbeddedDatabase, catalog: CatalogRow, sinceMs: number): Promise<number> {
  const [row] = await db
    .select({ all: count() })
    .from(tombstones)
    .where(and(eq(tombstones.catalogId, catalog.id), gte(tombstones.droppedAt, sinceMs)));
  return row?.all ?? 0;
}

/** Whether a removal with this intent was committed; also after its catalog was dropped. */
export async function hasTombstone(db: EmbeddedDatabase, name: CatalogName, intentId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: tombstones.entityId })
    .from(tombstones)
    .where(
      and(
        eq(tombstones.intentId, intentId),
        eq(tombstones.metalake, name.metalake),
        eq(tombstones.catalog, name.catalog),
      ),
    )
    .limit(1);
  return row !== undefined;
}

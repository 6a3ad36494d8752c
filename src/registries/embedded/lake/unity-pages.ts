import { and, asc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import { pathText } from '../../../domain/path.ts';
import type { CatalogRow } from '../catalog-row.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { catalogs, entities } from '../schema.ts';
import { type LakeRow, lakeColumns } from './lake-rows.ts';
import { lakeTables } from './lake-schema.ts';

/** A page of a listing that goes on behind a name, whether or not anything still has it. */
export interface NamePage {
  readonly after?: string;
  readonly limit: number;
}

/** Catalogs of the metalake, by name. */
export async function catalogRows(
  db: EmbeddedDatabase,
  metalake: string,
  { after, limit }: NamePage,
): Promise<readonly CatalogRow[]> {
  return db
    .select()
    .from(catalogs)
    .where(and(eq(catalogs.metalake, metalake), after === undefined ? undefined : gt(catalogs.name, after)))
    .orderBy(asc(catalogs.name))
    .limit(limit);
}

/** The schemas at the top of the catalog, by name; those inside others have no name in this API. */
export async function schemaRows(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  { after, limit }: NamePage,
): Promise<readonly LakeRow[]> {
  const behind = after === undefined ? undefined : gt(entities.pathKey, pathText([after]));
  return rowsBehind(
    db,
    and(eq(entities.catalogId, catalog.id), eq(entities.kind, 'schema'), isNull(entities.parentId), behind),
    limit,
  );
}

/** The tables of one schema, by name, whatever their format. */
export async function tableRows(
  db: EmbeddedDatabase,
  schema: Pick<LakeRow, 'id' | 'pathKey'>,
  { after, limit }: NamePage,
): Promise<readonly LakeRow[]> {
  const behind = after === undefined ? undefined : gt(entities.pathKey, `${schema.pathKey}/${pathText([after])}`);
  return rowsBehind(db, and(eq(entities.parentId, schema.id), eq(entities.kind, 'table'), behind), limit);
}

async function rowsBehind(db: EmbeddedDatabase, where: SQL | undefined, limit: number): Promise<readonly LakeRow[]> {
  return db
    .select(lakeColumns)
    .from(entities)
    .leftJoin(lakeTables, eq(lakeTables.entityId, entities.id))
    .where(where)
    .orderBy(asc(entities.pathKey))
    .limit(limit);
}

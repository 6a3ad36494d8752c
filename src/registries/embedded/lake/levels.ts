import { type SQL, and, eq } from 'drizzle-orm';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { TableRef } from '../../../delta/table.ts';
import { foldedKey, spelled } from '../case-rule.ts';
import { type CatalogRow, findCatalog } from '../catalog-row.ts';
import { pathText, type Path } from '../../../domain/path.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { findNamed } from '../entity-rows.ts';
import { entities } from '../schema.ts';
import { type LakeRow, findLakeRow } from './lake-rows.ts';

/** The catalog, or the Delta API's word for its absence. */
export async function catalogAt(db: EmbeddedDatabase, metalake: string, catalog: string): Promise<CatalogRow> {
  const row = await findCatalog(db, { metalake, catalog });
  if (row === undefined) throw new DeltaError('NoSuchCatalog', `Catalog ${quoted([catalog])} does not exist.`);
  return row;
}

/** The schema's id, or that it is missing. */
export async function schemaIdAt(db: EmbeddedDatabase, catalog: CatalogRow, schema: string): Promise<string> {
  const found = await findNamed(db, catalog, 'schema', [schema]);
  if (found === undefined)
    throw new DeltaError('NoSuchSchema', `Schema ${quoted([catalog.name, schema])} does not exist.`);
  return found.id;
}

/** Throws that the table is missing, or the schema if it is that. */
export async function noTableAt(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  schema: string,
  table: string,
): Promise<never> {
  await schemaIdAt(db, catalog, schema);
  throw new DeltaError('NoSuchTable', `Table ${quoted([catalog.name, schema, table])} does not exist.`);
}

/** The row of whatever holds the name among tables. */
export function isTableAt(catalog: CatalogRow, schema: string, table: string) {
  const path: Path = [schema, table];
  const folded = foldedKey(catalog.caseRule, path);
  return and(
    eq(entities.catalogId, catalog.id),
    eq(entities.nameSpace, 'relation'),
    folded === undefined
      ? eq(entities.pathKey, pathText(spelled(catalog.caseRule, path)))
      : eq(entities.foldedKey, folded),
  );
}

/** Whatever holds the name among tables, narrowed down if wished; or the Delta API's word for the first level that is missing. */
export async function lakeRowAt(
  { db, metalake }: { readonly db: EmbeddedDatabase; readonly metalake: string },
  { catalog: name, schema, table }: TableRef,
  only?: SQL,
): Promise<LakeRow> {
  const catalog = await catalogAt(db, metalake, name);
  const row = await findLakeRow(db, and(isTableAt(catalog, schema, table), only));
  return row ?? noTableAt(db, catalog, schema, table);
}

function quoted(names: readonly string[]): string {
  return `'${names.join('.')}'`;
}

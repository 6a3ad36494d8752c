import { and, asc, eq, gt, lt } from 'drizzle-orm';
import { type Path, insideBounds, pathText } from '../../domain/path.ts';
import type { Attachments, EntityKind, Registration } from '../../domain/registration.ts';
import { type AttachmentRow, attachmentColumns, attachmentsOf } from './attachment-rows.ts';
import { foldedKey, spelled } from './case-rule.ts';
import type { CatalogRow } from './catalog-row.ts';
import { type EmbeddedDatabase, rowsPerStatement } from './database.ts';
import { type NameSpace, nameSpaceOf } from './name-space.ts';
import { behind } from './page-cursor.ts';
import { type RegistrationRow, registrationColumns, registrationOf } from './registration-rows.ts';
import { entities } from './schema.ts';

/** A registration with everything that may be shown of it. Its secrets are not part of it. */
export interface Entity extends Registration {
  readonly updatedAt: number;
  readonly storageLocation?: string;
  readonly attachments: Attachments;
}

/** Which entity: by its id, or by what it is called now. */
export type Target =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'path'; readonly kind: EntityKind; readonly path: Path };

interface EntityRow extends RegistrationRow, AttachmentRow {
  readonly updatedAt: number;
}

const entityColumns = {
  ...registrationColumns,
  ...attachmentColumns,
  updatedAt: entities.updatedAt,
};

/** The entity as it is now, in one statement; `undefined` where it is not registered. */
export async function findEntity(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  target: Target,
): Promise<Entity | undefined> {
  const [row] = await db.select(entityColumns).from(entities).where(isTarget(catalog, target));
  return row === undefined ? undefined : entityOf(catalog, row);
}

/** The same without its attachments. */
export async function findRegistration(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  target: Target,
): Promise<Registration | undefined> {
  const [row] = await db.select(registrationColumns).from(entities).where(isTarget(catalog, target));
  return row === undefined ? undefined : registrationOf(catalog, row);
}

/** Whatever holds the name, of any kind that the name space covers. */
export async function findNamed(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  nameSpace: NameSpace,
  path: Path,
): Promise<Registration | undefined> {
  const [row] = await db
    .select(registrationColumns)
    .from(entities)
    .where(isNamed(catalog, nameSpace, path));
  return row === undefined ? undefined : registrationOf(catalog, row);
}

/** Everything inside a container, at any depth and in path order; any number of them, a statement's worth at a time. */
export async function findInside(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  container: Path,
): Promise<readonly Registration[]> {
  const { above, below } = insideBounds(container);
  const found: Registration[] = [];
  for (let start = gt(entities.pathKey, above); ; ) {
    const rows = await db
      .select({ ...registrationColumns, nameSpace: entities.nameSpace })
      .from(entities)
      .where(and(eq(entities.catalogId, catalog.id), start, lt(entities.pathKey, below)))
      .orderBy(asc(entities.pathKey), asc(entities.nameSpace))
      .limit(rowsPerStatement);
    for (const row of rows) found.push(registrationOf(catalog, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerStatement) return found;
    start = behind(last);
  }
}

function isTarget(catalog: CatalogRow, target: Target) {
  if (target.by === 'id') return and(eq(entities.catalogId, catalog.id), eq(entities.id, target.id));
  return and(isNamed(catalog, nameSpaceOf(target.kind), target.path), eq(entities.kind, target.kind));
}

function isNamed(catalog: CatalogRow, nameSpace: NameSpace, path: Path) {
  const folded = foldedKey(catalog.caseRule, path);
  return and(
    eq(entities.catalogId, catalog.id),
    eq(entities.nameSpace, nameSpace),
    folded === undefined
      ? eq(entities.pathKey, pathText(spelled(catalog.caseRule, path)))
      : eq(entities.foldedKey, folded),
  );
}

function entityOf(catalog: CatalogRow, row: EntityRow): Entity {
  return {
    ...registrationOf(catalog, row),
    updatedAt: row.updatedAt,
    ...(row.storageLocation === null ? {} : { storageLocation: row.storageLocation }),
    attachments: attachmentsOf(row),
  };
}

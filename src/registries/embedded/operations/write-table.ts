import { and, eq } from 'drizzle-orm';
import type { UpdateTableSpec } from '../../../delta/backend.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import { type CatalogRow, lockCatalogRow, withCatalogShared } from '../catalog-row.ts';
import { type WriteCommand, runParts } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { lakeCommitLog } from '../lake/lake-commit-log.ts';
import { type LakeRow, findLakeRow, resolvedTableOf, storedUniform } from '../lake/lake-rows.ts';
import { lakeTables } from '../lake/lake-schema.ts';
import { isTableAt, noTableAt } from '../lake/levels.ts';
import type { TableInUnit } from '../lake/table-in-unit.ts';
import { pathOf } from '../registration-rows.ts';
import { entities } from '../schema.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Some hundreds of writers of one table have had their turn by then. */
const patienceMs = 20_000;

/**
 * One table to itself, for as long as `work` takes. Writers of the same table queue at its row, those of other tables do
 * not wait; what changes the catalog's registrations waits for all of them, in its turn.
 */
export async function writeTable<T>(
  deps: OperationDeps,
  command: WriteCommand,
  work: (unit: TableInUnit) => Promise<T>,
): Promise<T> {
  const name = { metalake: deps.metalake, catalog: command.catalog };
  return withCatalogShared(deps.db, name, patienceMs, async (tx, catalog) => {
    const here = isTableAt(catalog, command.schema, command.table);
    const [locked] = await tx.select({ id: entities.id }).from(entities).where(here).for('update');
    if (locked === undefined) return noTableAt(tx, catalog, command.schema, command.table);
    // A statement of its own: one that waited for the lock would still show what was there before the wait.
    const row = await findLakeRow(tx, eq(entities.id, locked.id));
    if (row === undefined) return noTableAt(tx, catalog, command.schema, command.table);
    return work({
      table: resolvedTableOf(row),
      log: lakeCommitLog(tx, row.id),
      updateTableRow: (spec) => updateRow(tx, { deps, command, catalog, row }, spec),
    });
  });
}

interface Written {
  readonly deps: OperationDeps;
  readonly command: WriteCommand;
  readonly catalog: CatalogRow;
  /** As it was when the unit began. */
  readonly row: LakeRow;
}

async function updateRow(tx: EmbeddedDatabase, { deps, command, catalog, row }: Written, spec: UpdateTableSpec) {
  const { columns, properties, comment, uniform, metadataChanged, expectedMetadataVersion } = spec;
  // Events and the registration's version belong to the whole catalog; they come last, so that others wait for them only.
  if (metadataChanged) await lockCatalogRow(tx, catalog);
  const at = deps.now();
  const moved = metadataChanged ? { metadataVersion: expectedMetadataVersion + 1n, metadataAt: at } : {};
  const written = await tx
    .update(lakeTables)
    .set({
      columns,
      ...(uniform === undefined ? {} : { uniform: uniform === null ? null : storedUniform(uniform) }),
      ...moved,
    })
    .where(and(eq(lakeTables.entityId, spec.tableId), eq(lakeTables.metadataVersion, expectedMetadataVersion)))
    .returning({ id: lakeTables.entityId });
  if (written.length === 0 || spec.tableId !== row.id) {
    throw new DeltaError('UpdateRequirementConflict', 'The table was changed by somebody else meanwhile.');
  }
  await tx
    .update(entities)
    .set({
      properties: Object.fromEntries(properties),
      ...(comment === undefined ? {} : { comment }),
      ...(metadataChanged ? { version: row.version + 1, updatedAt: at } : {}),
    })
    .where(eq(entities.id, row.id));
  if (metadataChanged) await runParts(tx, command, [{ id: row.id, kind: 'table', path: pathOf(row.pathKey) }]);
  const after = await findLakeRow(tx, eq(entities.id, row.id));
  return resolvedTableOf(after ?? row);
}

import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { parentPath, pathText } from '../../../domain/path.ts';
import type { EntityKind } from '../../../domain/registration.ts';
import { foldedKey } from '../case-rule.ts';
import { type CatalogRow, withCatalogLocked } from '../catalog-row.ts';
import {
  type Affected,
  type ImportCommand,
  type ImportCounts,
  type ImportedEntity,
  runParts,
} from '../chain/dispatcher.ts';
import { type EmbeddedDatabase, asJson, inParts, rowsOf } from '../database.ts';
import { nameSpaceOf } from '../name-space.ts';
import { pathOf } from '../registration-rows.ts';
import { entities } from '../schema.ts';
import type { OperationDeps } from './operation-deps.ts';

/**
 * Adds what is not registered, containers first, in one transaction. A container that is not listed is added with its
 * contents: that something lies in it proves that it is there. Whatever is registered stays as it is.
 */
export async function importEntities(deps: OperationDeps, command: ImportCommand): Promise<ImportCounts> {
  return withCatalogLocked(deps.db, { ...command, metalake: deps.metalake }, async (tx, catalog) => {
    const added: Affected[] = [];
    let addedOfList = 0;
    const at = deps.now();
    for (const { listed, items } of ranksOf(command.items)) {
      for (const part of inParts(items)) {
        const rows = await insertMissing(tx, catalog, part, at);
        for (const row of rows) added.push(row);
        if (listed) addedOfList += rows.length;
      }
    }
    await runParts(tx, command, added);
    return { added: added.length, existing: command.items.length - addedOfList, refused: 0 };
  });
}

interface Rank {
  /** False for containers that the list leaves out. */
  readonly listed: boolean;
  readonly items: readonly ImportedEntity[];
}

/** Schemas by depth, then all that lies in them: every rank finds its containers registered. */
function ranksOf(items: readonly ImportedEntity[]): readonly Rank[] {
  const listed = new Map<string, ImportedEntity>();
  for (const item of items) if (item.kind === 'schema') listed.set(pathText(item.path), item);
  const implied = new Map<string, ImportedEntity>();
  for (const { path } of items) {
    for (let at = parentPath(path); at !== undefined; at = parentPath(at)) {
      const key = pathText(at);
      if (!listed.has(key)) implied.set(key, { kind: 'schema', path: at });
    }
  }
  const ranks: Rank[] = [];
  const deepest = [...listed.values(), ...implied.values()].reduce((most, { path }) => Math.max(most, path.length), 0);
  for (let depth = 1; depth <= deepest; depth += 1) {
    const atDepth = ({ path }: ImportedEntity) => path.length === depth;
    ranks.push({ listed: true, items: [...listed.values()].filter(atDepth) });
    ranks.push({ listed: false, items: [...implied.values()].filter(atDepth) });
  }
  return [...ranks, { listed: true, items: items.filter(({ kind }) => kind !== 'schema') }];
}

/** The container is looked up in the statement itself, and lends its spelling to the new path. */
async function insertMissing(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  items: readonly ImportedEntity[],
  at: number,
): Promise<readonly Affected[]> {
  const records = items.map(({ kind, path, comment, storageLocation }) => {
    const container = parentPath(path);
    return {
      id: randomUUID(),
      kind,
      space: nameSpaceOf(kind),
      // The key by which this catalog finds a path.
      container: container === undefined ? null : (foldedKey(catalog.caseRule, container) ?? pathText(container)),
      name: pathText(path.slice(-1)),
      folded: foldedKey(catalog.caseRule, path) ?? null,
      comment: comment ?? null,
      location: storageLocation ?? null,
    };
  });
  const foundBy = catalog.caseRule === 'insensitive' ? sql`c.folded_key` : sql`c.path_key`;
  const rows = await rowsOf<{ id: string; kind: EntityKind; path_key: string }>(
    tx,
    sql`
      insert into ${entities} (id, catalog_id, parent_id, kind, name_space, path_key, folded_key, comment,
        storage_location, created_at, updated_at)
      select n.id, ${catalog.id}, c.id, n.kind, n.space, coalesce(c.path_key || '/', '') || n.name, n.folded, n.comment,
        n.location, ${at}::bigint, ${at}::bigint
      from jsonb_to_recordset(${asJson(records)}) as n(
        id text, kind text, space text, container text, name text, folded text, comment text, location text)
      left join ${entities} c on c.catalog_id = ${catalog.id} and c.name_space = 'schema' and ${foundBy} = n.container
      where n.container is null or c.id is not null
      on conflict do nothing
      returning id, kind, path_key`,
  );
  return rows.map(({ id, kind, path_key }) => ({ id, kind, path: pathOf(path_key) }));
}

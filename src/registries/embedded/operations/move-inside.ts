import { sql } from 'drizzle-orm';
import { type Path, pathText } from '../../../domain/path.ts';
import { foldedKey } from '../case-rule.ts';
import type { CatalogRow } from '../catalog-row.ts';
import { type EmbeddedDatabase, asJson, inParts } from '../database.ts';
import { entities } from '../schema.ts';

/** New paths for what lies inside a container that moved; their containers stay the same rows. */
export async function moveInside(
  tx: EmbeddedDatabase,
  catalog: CatalogRow,
  moved: readonly { readonly id: string; readonly path: Path }[],
  updatedAt: number,
): Promise<void> {
  for (const part of inParts(moved)) {
    const rows = part.map(({ id, path }) => ({
      id,
      key: pathText(path),
      folded: foldedKey(catalog.caseRule, path) ?? null,
    }));
    await tx.execute(sql`
      update ${entities} e
      set path_key = m.key, folded_key = m.folded, version = e.version + 1, updated_at = ${updatedAt}::bigint
      from jsonb_to_recordset(${asJson(rows)}) as m(id text, key text, folded text)
      where e.id = m.id`);
  }
}

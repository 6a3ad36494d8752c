import { type SQL, sql } from 'drizzle-orm';
import type { EntityKind } from '../../domain/registration.ts';
import { type EmbeddedDatabase, rowsOf } from './database.ts';
import type { RegistrationRow } from './registration-rows.ts';
import { entities } from './schema.ts';

/** The columns of a page, each as one text. */
interface PageColumns {
  readonly ids: string | null;
  readonly kinds: string;
  readonly keys: string;
  readonly versions: string;
  readonly times: string;
  readonly managed: string;
  /** `null` for the many pages on which nothing has a location. */
  readonly locations: readonly (string | null)[] | null;
}

/**
 * Rows in path order, fetched column by column: a field costs the driver more than the database needs to find it, and a
 * hundred thousand registrations have six hundred thousand fields (measured: half the time of plain rows). Neither ids
 * nor path keys hold a line break; path keys have control characters escaped.
 */
export async function pageRows(
  db: EmbeddedDatabase,
  where: SQL | undefined,
  limit: number,
): Promise<RegistrationRow[]> {
  const [columns] = await rowsOf<PageColumns>(
    db,
    sql`
      select string_agg(id, chr(10)) as "ids", string_agg(kind, ' ') as "kinds", string_agg(path_key, chr(10)) as "keys",
        string_agg(version::text, ' ') as "versions", string_agg(created_at::text, ' ') as "times",
        string_agg(case when managed then 'm' else '-' end, '') as "managed",
        case when count(storage_location) > 0 then json_agg(storage_location) end as "locations"
      from (
        select id, kind, path_key, version, created_at, managed, storage_location from ${entities} where ${where}
        order by ${entities.pathKey}, ${entities.nameSpace} limit ${limit}
      ) page`,
  );
  if (columns === undefined || columns.ids === null) return [];
  const kinds = columns.kinds.split(' ') as EntityKind[];
  const keys = columns.keys.split('\n');
  const versions = columns.versions.split(' ');
  const times = columns.times.split(' ');
  return columns.ids.split('\n').map((id, row) => ({
    id,
    kind: cell(kinds, row),
    pathKey: cell(keys, row),
    version: Number(cell(versions, row)),
    createdAt: Number(cell(times, row)),
    managed: columns.managed[row] === 'm',
    storageLocation: columns.locations === null ? null : cell(columns.locations, row),
  }));
}

/** A column that is shorter than the others would give a registration away to another one's path. */
function cell<T>(column: readonly T[], row: number): T {
  const value = column[row];
  if (value === undefined) throw new TypeError(`a page without row ${row} in every column`);
  return value;
}

import type { Located } from '../../domain/verdict.ts';
import type { Session } from './session.ts';
import type { PostgresSettings } from './settings.ts';
import { objectKind, requireDatabase, requireEveryRow } from './statement.ts';
import { parseUid, type Uid, uidText } from './uid.ts';

// One row per identity, found or not, so that an answer cut short is noticed; `LIMIT 1` as in the look-up by name.
const locate = `
SELECT u.i, pg_catalog.current_database(), n.nspname, c.nspname, c.relname, c.relkind
  FROM ROWS FROM (
         pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.oid[])
       ) WITH ORDINALITY AS u(kind, oid, i)
  LEFT JOIN LATERAL (
         SELECT k.nspname FROM pg_catalog.pg_namespace k
          WHERE k.oid OPERATOR(pg_catalog.=) u.oid AND u.kind OPERATOR(pg_catalog.=) 'schema'
          LIMIT 1
       ) n ON true
  LEFT JOIN LATERAL (
         SELECT m.nspname, k.relname, k.relkind
           FROM pg_catalog.pg_class k
           JOIN pg_catalog.pg_namespace m ON m.oid OPERATOR(pg_catalog.=) k.relnamespace
          WHERE k.oid OPERATOR(pg_catalog.=) u.oid AND u.kind OPERATOR(pg_catalog.=) 'relation'
          LIMIT 1
       ) c ON true
 ORDER BY u.i`;

/** Where oids are now; each of `uids` is another one. */
export async function locateUids(
  session: Session,
  settings: PostgresSettings,
  uids: readonly string[],
  signal: AbortSignal,
): Promise<Located[]> {
  const asked = uids.map(parseUid).filter((uid): uid is Uid => uid !== undefined);
  if (asked.length === 0) return [];
  const kinds = asked.map(({ kind }) => kind);
  const oids = asked.map(({ oid }) => oid);
  const rows = await session.query(locate, [kinds, oids], signal);
  requireEveryRow(rows, asked.length, settings);
  return rows.flatMap(([, database, schema, parent, relation, relkind], index): Located[] => {
    requireDatabase(database, settings);
    const { kind, oid } = asked[index] as Uid; // as many rows as identities: just checked
    const uid = uidText(kind, oid);
    if (schema) return [{ uid, path: [schema], found: 'schema' }];
    if (parent && relation) return [{ uid, path: [parent, relation], found: objectKind(relkind ?? null) }];
    return [];
  });
}

import type { SourceRights } from '../source.ts';
import type { Session } from './session.ts';
import type { PostgresSettings } from './settings.ts';
import { requireDatabase, requireEveryRow } from './statement.ts';

// What a role inherits counts as its own: with the owner's rights it could drop what it is asked about.
const rights = `
SELECT 1, pg_catalog.current_database(), r.rolsuper, r.rolcreaterole, r.rolcreatedb,
       pg_catalog.has_database_privilege(pg_catalog.current_database()::pg_catalog.text, 'CREATE'),
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace n WHERE pg_catalog.left(n.nspname::pg_catalog.text, 3)
          OPERATOR(pg_catalog.<>) 'pg_' AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'),
       o.relations, o.owned
  FROM pg_catalog.pg_roles r
 CROSS JOIN (
         SELECT pg_catalog.count(*) AS relations,
                pg_catalog.count(*) FILTER (WHERE pg_catalog.pg_has_role(c.relowner, 'USAGE')) AS owned
           FROM pg_catalog.pg_class c
           JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
          WHERE pg_catalog.left(n.nspname::pg_catalog.text, 3) OPERATOR(pg_catalog.<>) 'pg_'
            AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'
            AND c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p', 'f', 'v', 'm']::pg_catalog."char"[])
       ) o
 WHERE r.rolname OPERATOR(pg_catalog.=) current_user`;

/** What the role may do, and how many objects it sees: all there are, since catalog tables hide nothing from a role. */
export async function readRights(
  session: Session,
  settings: PostgresSettings,
  signal: AbortSignal,
): Promise<SourceRights> {
  const rows = await session.query(rights, [], signal);
  requireEveryRow(rows, 1, settings);
  const [, database, superuser, makesRoles, makesDatabases, creates, schemas, relations, owned] = rows[0] ?? [];
  requireDatabase(database, settings);
  const excess =
    superuser === 't'
      ? ['is a superuser']
      : [
          ...(makesRoles === 't' ? ['may create roles'] : []),
          ...(makesDatabases === 't' ? ['may create databases'] : []),
          ...(creates === 't' ? ['may create schemas'] : []),
          ...(Number(owned) > 0 ? [`owns ${owned} of them, so it may drop those`] : []),
        ];
  return { excess, sees: `${schemas} schemas, ${relations} tables and views` };
}

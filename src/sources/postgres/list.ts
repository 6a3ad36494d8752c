import type { ListedObject } from '../source.ts';
import type { Row } from './session.ts';
import type { PostgresSettings } from './settings.ts';
import { objectKind, requireDatabase } from './statement.ts';
import { uidText } from './uid.ts';

/** Rows per page: some milliseconds of the source's time, some hundred kilobytes of ours. */
export const listPageSize = 2_000;

// PostgreSQL keeps the prefix pg_ for itself: pg_catalog, pg_toast, temporary schemas.
const ofUsers = `pg_catalog.left(n.nspname::pg_catalog.text, 3) OPERATOR(pg_catalog.<>) 'pg_'
   AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema'`;

// Pages go by oid: an object that is renamed between two pages is neither lost nor listed twice.
const schemas = `
SELECT n.oid, pg_catalog.current_database(), n.nspname
  FROM pg_catalog.pg_namespace n
 WHERE n.oid OPERATOR(pg_catalog.>) $1::pg_catalog.oid
   AND ${ofUsers}
 ORDER BY n.oid LIMIT $2`;

const relations = `
SELECT c.oid, pg_catalog.current_database(), n.nspname, n.oid, c.relname, c.relkind
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
 WHERE c.oid OPERATOR(pg_catalog.>) $1::pg_catalog.oid
   AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,f,v,m}'::pg_catalog."char"[])
   AND NOT c.relispartition
   AND ${ofUsers}
 ORDER BY c.oid LIMIT $2`;

type Query = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Schemas first, then tables and views. Partitions are left out: people register the partitioned table. A relation
 * whose schema was made after the schemas were listed waits for the next listing.
 */
export async function* listObjects(query: Query, settings: PostgresSettings): AsyncGenerator<ListedObject> {
  const listed = new Set<string>();
  for await (const [oid, , schema] of paged(query, schemas, settings)) {
    if (!oid || !schema) continue;
    listed.add(oid);
    yield { path: [schema], found: 'schema', uid: uidText('schema', oid) };
  }
  for await (const [oid, , schema, schemaOid, relation, relkind] of paged(query, relations, settings)) {
    if (!oid || !schema || !relation || !listed.has(schemaOid ?? '')) continue;
    yield { path: [schema, relation], found: objectKind(relkind ?? null), uid: uidText('relation', oid) };
  }
}

async function* paged(query: Query, text: string, settings: PostgresSettings): AsyncGenerator<Row> {
  for (let after = '0'; ; ) {
    const rows = await query(text, [after, listPageSize]);
    for (const row of rows) requireDatabase(row[1], settings);
    yield* rows;
    const last = rows.at(-1)?.[0];
    if (!last || rows.length < listPageSize) return;
    after = last;
  }
}

import { ReconcilerFailure } from '../../domain/failure.ts';
import type { ObjectKind } from '../../domain/registration.ts';
import type { Question } from './name-gate.ts';
import type { Row, Session } from './session.ts';
import { addressOf, type PostgresSettings } from './settings.ts';

/**
 * Asks about any number of names in one snapshot. Everything is written with its schema: a temporary table `pg_class`,
 * or a search path, would otherwise answer in the place of the catalog. Names compare byte by byte. The catalog tables
 * are not filtered by privilege, unlike information_schema; unlike to_regclass they tell a missing schema from a
 * missing table. `LIMIT 1` (names are unique) keeps the planner on the index: from about 1,000 names on it would
 * otherwise read all of `pg_class` for every call. What is the same for all rows stands on the first one only.
 */
const lookUp = `
SELECT r.i, n.oid, c.oid, c.relkind,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN pg_catalog.current_database() END,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN s.system_identifier END,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN d.oid END,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN current_user END,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN pg_catalog.pg_is_in_recovery() END,
       CASE WHEN r.i OPERATOR(pg_catalog.=) 1 THEN pg_catalog.getdatabaseencoding() END
  FROM ROWS FROM (
         pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])
       ) WITH ORDINALITY AS r(s, t, i)
 CROSS JOIN (
         SELECT oid FROM pg_catalog.pg_database
          WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
       ) d
 CROSS JOIN pg_catalog.pg_control_system() s
  LEFT JOIN pg_catalog.pg_namespace n ON n.nspname OPERATOR(pg_catalog.=) (r.s COLLATE pg_catalog."C")
  LEFT JOIN LATERAL (
         SELECT k.oid, k.relkind FROM pg_catalog.pg_class k
          WHERE k.relnamespace OPERATOR(pg_catalog.=) n.oid
            AND k.relname OPERATOR(pg_catalog.=) (r.t COLLATE pg_catalog."C")
          LIMIT 1
       ) c ON true
 ORDER BY r.i`;

/** What the catalog tables hold under one name. */
export interface Found {
  readonly schemaOid: string | null;
  readonly relationOid: string | null;
  readonly relkind: string | null;
}

/** Who answered. */
export interface Respondent {
  readonly fingerprint: string;
  readonly principal: string;
  /** A standby may lag: what it does not know may exist. */
  readonly standby: boolean;
  readonly encoding: string;
}

export interface LookUp {
  readonly found: readonly Found[];
  readonly respondent: Respondent;
}

/** One statement; `found[i]` belongs to `questions[i]`, of which there must be at least one. */
export async function lookUpNames(
  session: Session,
  settings: PostgresSettings,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<LookUp> {
  const schemas = questions.map(({ schema }) => schema);
  const relations = questions.map(({ relation }) => relation);
  const rows = await session.query(lookUp, [schemas, relations], signal);
  return readLookUp(rows, questions.length, settings);
}

/** Believes rows only if there are as many as questions, numbered from 1, and the first names the right database. */
export function readLookUp(rows: readonly Row[], asked: number, settings: PostgresSettings): LookUp {
  requireEveryRow(rows, asked, settings);
  const [, , , , database, system, oid, principal, standby, encoding] = rows[0] ?? [];
  requireDatabase(database, settings);
  if (!system || !oid || !principal || !encoding || (standby !== 't' && standby !== 'f')) {
    throw new ReconcilerFailure(
      'SourceProtocolError',
      'no-fingerprint',
      `The server at ${addressOf(settings)} does not say which database it is, as PostgreSQL does.`,
    );
  }
  return {
    found: rows.map(([, schemaOid = null, relationOid = null, relkind = null]) => ({
      schemaOid,
      relationOid,
      relkind,
    })),
    respondent: { fingerprint: `${system}/${oid}`, principal, standby: standby === 't', encoding },
  };
}

/** Fewer answers than questions is an incomplete batch, never a shorter truth. The first column is the ordinal. */
export function requireEveryRow(rows: readonly Row[], asked: number, settings: PostgresSettings): void {
  if (rows.length === asked && rows.every(([ordinal], index) => Number(ordinal) === index + 1)) return;
  throw new ReconcilerFailure(
    'IncompleteBatch',
    'row-count',
    `PostgreSQL at ${addressOf(settings)} answered ${rows.length} of ${asked} questions, or out of order.`,
  );
}

/** A pooler’s alias, or a server that ignores the name, answers cleanly about another database. */
export function requireDatabase(database: string | null | undefined, settings: PostgresSettings): void {
  if (database === settings.database) return;
  throw new ReconcilerFailure(
    'SourceProtocolError',
    'other-database',
    `The server at ${addressOf(settings)} answers for database ${database ?? 'without a name'}. ` +
      'Configure the database by the name that the server itself uses, and look for a pooler’s alias.',
  );
}

const kinds: Readonly<Record<string, ObjectKind>> = {
  r: 'table',
  p: 'partitioned-table',
  f: 'foreign-table',
  v: 'view',
  m: 'materialized-view',
};

/** Sequences, indexes and composite types share the name space of tables. */
export function objectKind(relkind: string | null): ObjectKind {
  return kinds[relkind ?? ''] ?? 'other';
}

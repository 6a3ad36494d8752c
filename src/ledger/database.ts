import { fileURLToPath } from 'node:url';
import { type SQL, sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { ReconcilerFailure } from '../domain/failure.ts';

/**
 * A database of drizzle over either driver, `pg` or PGlite, or a transaction of it. Inside a transaction nothing but
 * its own handle may be used: PGlite has one connection, and waits for ever otherwise.
 */
export type LedgerDatabase = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Beside this file, in the sources as in the build. */
export const migrationsFolder: string = fileURLToPath(new URL('./migrations', import.meta.url));

/** More rows than this in one statement would hold up everybody else on PGlite, which shares our event loop. */
export const rowsAStatement = 20_000;

/** Rows of a statement written out. 64-bit numbers come as text from one driver: select them through `Number`. */
export async function rowsOf<Row extends object>(db: LedgerDatabase, query: SQL): Promise<readonly Row[]> {
  const { rows } = (await db.execute(query)) as { readonly rows: readonly Row[] };
  return rows;
}

/**
 * For questions that walk an index in its order, page by page. The database never believes that a new round has many
 * rows, so it would rather fetch all that are left and sort them, for every page anew.
 */
export function walking<Answer>(db: LedgerDatabase, work: (tx: LedgerDatabase) => Promise<Answer>): Promise<Answer> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_bitmapscan = off`);
    return work(tx);
  });
}

/** Of SQLSTATE, the classes that say nothing about the statement: try again when the server is well. */
const unavailableClasses = [
  '08', // connection
  '28', // it refuses our role or password
  '3D', // the database is not there
  '40', // rolled back: serialization, deadlock
  '53', // out of connections, memory or disk
  '57', // shutting down, starting, cancelled
  '58', // its disk or system failed
];
const unavailableStates = new Set([
  '25006', // a standby took the connection: the primary is about to move
  '55006', // in use
  '55P03', // a lock was not to be had in time
]);

const unavailableErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the server's socket file
]);

/** What the drivers say of their own connection; they give these no code. */
const driverMessages: readonly (readonly [RegExp, string])[] = [
  [/^PGlite is clos(ed|ing)/, 'closed'],
  [/^Cannot use a pool after calling end/, 'closed'],
  [/^timeout exceeded when trying to connect/, 'connect-timeout'],
  [/^Connection terminated/, 'terminated'],
  [/^Client (was closed|has encountered a connection error)/, 'terminated'],
  [/^Query read timeout/, 'read-timeout'],
];

/**
 * What a database driver threw, as one of our failures; anything else as it came. The driver's own text is not
 * repeated: drizzle puts all parameters of a statement into it, which may be megabytes of other people's names.
 */
export function translateDatabaseFailure(error: unknown): unknown {
  if (error instanceof ReconcilerFailure) return error;
  const chain = causes(error);
  const unavailable = chain.map(unavailability).find((code) => code !== undefined);
  if (unavailable !== undefined) {
    const message = `the ledger’s database does not answer (${unavailable})`;
    return new ReconcilerFailure('LedgerUnavailable', unavailable, message, { cause: chain.at(-1) });
  }
  const origin = chain.at(-1);
  const state = codeOf(origin);
  if (chain.length === 1 && !isSqlState(state)) return error;
  const said = origin instanceof Error ? origin.message : String(origin);
  return new ReconcilerFailure('Internal', state ?? 'database', `the ledger’s database refused: ${said}`, {
    cause: origin,
  });
}

/** The SQLSTATE of a row that is there already. */
export const uniqueViolation = '23505';

/** The SQLSTATE behind an error of drizzle or of a driver. */
export function sqlStateOf(error: unknown): string | undefined {
  return causes(error).map(codeOf).find(isSqlState);
}

/** The constraint that a statement ran into. */
export function constraintOf(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    if (cause instanceof Error && 'constraint' in cause && typeof cause.constraint === 'string')
      return cause.constraint;
  }
  return undefined;
}

/** Wraps every method of a part of the ledger, so that none of them lets a driver's error out. */
export function translating<Part extends object>(part: Part): Part {
  const wrapped = Object.entries(part).map(([name, method]: [string, (...args: readonly unknown[]) => unknown]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw translateDatabaseFailure(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Part;
}

function unavailability(error: unknown): string | undefined {
  const code = codeOf(error);
  if (isSqlState(code)) {
    return unavailableStates.has(code) || unavailableClasses.includes(code.slice(0, 2)) ? code : undefined;
  }
  if (code !== undefined && unavailableErrnos.has(code)) return code;
  if (!(error instanceof Error)) return undefined;
  return driverMessages.find(([message]) => message.test(error.message))?.[1];
}

/** From the outermost error to what first went wrong. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [error];
  for (let at = error; at instanceof Error && at.cause !== undefined && !chain.includes(at.cause); at = at.cause) {
    chain.push(at.cause);
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

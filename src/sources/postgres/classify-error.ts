import { DatabaseError } from 'pg';
import { type FailureType, ReconcilerFailure } from '../../domain/failure.ts';
import { addressOf, type PostgresSettings } from './settings.ts';

/** Where an error was thrown; the same code can mean different things. */
export type Phase = 'connect' | 'statement';

interface Reading {
  readonly type: FailureType;
  /** What to do, after what happened. */
  readonly mend: string;
}

const grantCatalogs =
  'Grant the user CONNECT on the database and SELECT on the tables of pg_catalog, as PUBLIC has them by default.';
const waitOrLook = 'The next attempt asks again; the server’s own log says why.';

/** SQLSTATEs, a whole code before its class of two characters. */
const byState: Record<Phase, Readonly<Record<string, Reading>>> = {
  connect: {
    // after the password was accepted: the catalog is unreachable, and none of its tables is thereby gone
    '3D000': { type: 'SourceProtocolError', mend: 'There is no such database (names are case-sensitive). Correct it.' },
    '28': { type: 'SourceAccessDenied', mend: 'Check user, password, pg_hba.conf and whether TLS is demanded.' },
    '42501': { type: 'SourceAccessDenied', mend: grantCatalogs },
    '53300': { type: 'SourceBusy', mend: 'Raise max_connections or the user’s limit, or lower the probes in flight.' },
    '53400': { type: 'SourceBusy', mend: waitOrLook },
    '53': { type: 'SourceUnavailable', mend: waitOrLook },
    '55': { type: 'SourceUnavailable', mend: 'The database takes no connections now; see ALLOW_CONNECTIONS.' },
    '57': { type: 'SourceUnavailable', mend: 'The server starts, stops or recovers. ' + waitOrLook },
    // a pooler’s answer to nearly everything, a database unknown to it included: never the server’s own word
    '08': { type: 'SourceUnreachable', mend: 'A pooler may be between; look whether it reaches the server.' },
  },
  statement: {
    '42501': { type: 'SourceAccessDenied', mend: grantCatalogs },
    '42': { type: 'SourceProtocolError', mend: 'The server does not answer like PostgreSQL 11 or later.' },
    '22': { type: 'SourceProtocolError', mend: 'The server cannot read the question in its encoding.' },
    '53300': { type: 'SourceBusy', mend: waitOrLook },
    '53400': { type: 'SourceBusy', mend: waitOrLook },
    '55P03': { type: 'SourceBusy', mend: 'A lock on the catalog tables is held for long. ' + waitOrLook },
    '57014': { type: 'SourceUnavailable', mend: 'A statement time-out or an administrator cancelled the question.' },
  },
};

const otherwise: Record<Phase, Reading> = {
  connect: { type: 'SourceUnreachable', mend: 'Check host, port and sslmode, and that it is a PostgreSQL server.' },
  statement: { type: 'SourceUnavailable', mend: waitOrLook },
};

/**
 * The one translator of what the driver throws: by where it was thrown and by its structured code, never by its text.
 * The text is shown to people, and none of it can hold the password.
 */
export function classifyError(error: unknown, phase: Phase, settings: PostgresSettings): ReconcilerFailure {
  if (error instanceof ReconcilerFailure) return error;
  const code = codeOf(error) ?? (phase === 'connect' ? 'no-code' : 'connection-lost');
  const { type, mend } = readingOf(error, code, phase);
  const refused = error instanceof DatabaseError && phase === 'connect';
  const did = refused ? 'did not let us in' : phase === 'connect' ? 'cannot be reached' : 'did not answer';
  const said = error instanceof Error && error.message !== '' ? `: ${clip(error.message)}` : '';
  const message = `PostgreSQL at ${addressOf(settings)} ${did} as user ${settings.user} (${code})${said}. ${mend}`;
  return new ReconcilerFailure(type, code, message, { cause: error });
}

function readingOf(error: unknown, code: string, phase: Phase): Reading {
  if (!(error instanceof DatabaseError)) return otherwise[phase]; // Node’s EPIPE has the form of a SQLSTATE
  const states = byState[phase];
  return states[code] ?? states[code.slice(0, 2)] ?? otherwise[phase];
}

/** Whether the server could not represent a name in its encoding; it says so for a whole batch. */
export function isUnrepresentable(error: unknown): boolean {
  return error instanceof ReconcilerFailure && (error.code === '22P05' || error.code === '22021');
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

/** A peer that is not PostgreSQL can make the driver say anything. */
function clip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a log
  const plain = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/\.$/, '');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}

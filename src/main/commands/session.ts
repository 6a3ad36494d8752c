import { setTimeout as pause } from 'node:timers/promises';
import { tokenInFile } from '../../config/cli-defaults.ts';
import type { Secret } from '../../config/secret.ts';
import { type ApiClient, ApiRefusal, ApiUnreachable, openApi } from '../api-client.ts';
import { CommandFailed, type ExitCode, UsageError, exitCodes } from '../exit-codes.ts';
import { osUser } from '../os-user.ts';
import { ownName, shellWords } from '../terminal/shell-words.ts';
import { folded, marked, pageWidth } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of every command that talks to the API. */
export interface ApiOptions {
  /** Where the API listens. */
  readonly api: string;
  /** Whether `api` was given on the command line, so that suggested commands repeat it. */
  readonly apiGiven?: boolean;
  /** Shown to the API as a bearer token; counts before `tokenFile`. */
  readonly token?: Secret;
  /** A file that holds the token. */
  readonly tokenFile?: string;
  /** Who acts, where the API asks for no token; the operating system's user where not given. */
  readonly as?: string;
  readonly json?: boolean;
}

/** What a command works with. */
export interface Session {
  readonly api: ApiClient;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** A command to type next, as it must be typed here. */
  readonly suggest: (...words: readonly string[]) => string;
  /** Waits between two looks. */
  readonly rest: (ms: number) => Promise<void>;
}

/** Runs a command's work against the API and turns whatever goes wrong into words and an exit code. */
export async function inSession(
  { api, apiGiven = false, token, tokenFile, as, json = false }: ApiOptions,
  terminal: Terminal,
  work: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  const suggest = (...words: readonly string[]): string =>
    `${ownName} ${shellWords(apiGiven ? [...words, '--api', api] : words)}`;
  let client: ApiClient | undefined;
  try {
    client = openApi(checkedUrl(api), checkedActor(as ?? osUser()), checkedToken(token, tokenFile));
    return await work({
      api: client,
      terminal,
      json,
      suggest,
      rest: async (ms) => pause(ms),
    });
  } catch (error) {
    return told(error, terminal, suggest);
  } finally {
    await client?.close();
  }
}

function told(error: unknown, terminal: Terminal, suggest: Session['suggest']): ExitCode {
  if (error instanceof ApiRefusal) {
    const { type, title, detail, mend, errors } = error.problem;
    terminal.tell(`${title}.`);
    for (const line of marked(' ', detail)) terminal.tell(line);
    for (const { field, message } of errors ?? []) terminal.tell(`    ${field}: ${message}`);
    // the API speaks of its addresses; whoever sits here types commands
    const listed = unknownNames.includes(type);
    if (listed) terminal.tell(`  What there is: ${suggest('catalogs')}`);
    else for (const line of marked('  To mend it:', mend)) terminal.tell(line);
    return denials.includes(type) ? exitCodes.denied : exitCodes.refused;
  }
  if (error instanceof ApiUnreachable) {
    for (const line of folded(error.message, pageWidth)) terminal.tell(line);
    terminal.tell('  Start it with `npm start`, or name another address with --api or RECONCILER_API.');
    return exitCodes.unreachable;
  }
  if (error instanceof UsageError || error instanceof CommandFailed) {
    for (const line of error.message.split('\n')) terminal.tell(line);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.refused;
  }
  throw error;
}

const unknownNames = ['/api/problems/no-such-catalog', '/api/problems/no-such-metalake'];

const denials = ['/api/problems/unauthenticated', '/api/problems/forbidden'];

export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new UsageError(`${text} is no address of an API: write one like http://127.0.0.1:8080.`);
}

export function checkedActor(name: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(name)) return name;
  throw new UsageError('--as takes a name of 1 to 200 printable characters.');
}

/** Neither of the messages may show the token: terminals are recorded. */
export function checkedToken(token: Secret | undefined, file: string | undefined): Secret | undefined {
  const found = token === undefined && file !== undefined ? tokenInFile(file) : undefined;
  if (found !== undefined && 'problem' in found) throw new UsageError(`--token-file ${found.problem}.`);
  const shown = found?.secret ?? token;
  if (shown === undefined || /^[A-Za-z0-9._~+/-]+=*$/.test(shown.reveal())) return shown;
  throw new UsageError('The token holds what no token has: it takes letters, digits and . _ ~ + / - alone.');
}

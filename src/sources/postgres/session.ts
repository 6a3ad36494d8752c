import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client } from 'pg';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { cutOff } from '../cut-off.ts';
import { classifyError } from './classify-error.ts';
import { addressOf, type PostgresSettings } from './settings.ts';

export interface SessionOptions {
  readonly settings: PostgresSettings;
  /** Asked for at each connection, so that one that changes with time works. */
  readonly password: string | (() => Promise<string>) | undefined;
  readonly connectMs: number;
  readonly statementMs: number;
}

/** A row as the server wrote it: every value as text, so that 64-bit numbers and oids lose nothing. */
export type Row = readonly (string | null)[];

const asText = { getTypeParser: () => (text: string | Buffer) => String(text) };
const goodbyeMs = 1_000; // a peer that does not close in time is not waited for

/** One connection. Any failure, time-out or cancellation ends it for good: its socket is destroyed. */
export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #options: SessionOptions;
  #usable = true;

  private constructor(client: Client, socket: Socket, options: SessionOptions) {
    this.#client = client;
    this.#socket = socket;
    this.#options = options;
    // Also fires for an idle connection that the server ends; without a listener it would end the process.
    client.on('error', () => this.destroy());
    client.on('end', () => this.destroy());
  }

  static async open(options: SessionOptions, signal: AbortSignal): Promise<Session> {
    const { settings, connectMs } = options;
    const ssl = await tlsOptions(settings);
    signal.throwIfAborted();
    const socket = new Socket();
    const client = new Client({
      host: settings.host,
      port: settings.port,
      database: settings.database,
      user: settings.user,
      // Always a function: for an empty password the driver would look into PGPASSWORD and ~/.pgpass.
      password: () => passwordOf(options),
      ssl,
      sslnegotiation: 'postgres',
      stream: () => socket, // ours, so that it can be destroyed at any moment
      types: asText,
      application_name: 'catalog-reconciler',
      keepAlive: true,
    });
    const session = new Session(client, socket, options);
    const connecting = client.connect().catch((error: unknown) => {
      session.destroy();
      throw classifyError(error, 'connect', settings);
    });
    await cutOff(connecting, {
      signal,
      withinMs: connectMs,
      tooLate: () =>
        new ReconcilerFailure(
          'SourceUnreachable',
          'connect-timeout',
          `Nothing at ${addressOf(settings)} opened a PostgreSQL session within ${connectMs} ms. ` +
            'Check host and port, and that no firewall swallows the connection.',
        ),
      end: () => session.destroy(),
    });
    return session;
  }

  get usable(): boolean {
    return this.#usable;
  }

  /**
   * One statement in autocommit. The time-out is ours alone: as a start-up option poolers refuse it, and `SET` behind
   * a pooler would reach other people's sessions.
   */
  async query(text: string, values: readonly unknown[], signal: AbortSignal): Promise<readonly Row[]> {
    const { settings, statementMs } = this.#options;
    const question = { text, values: [...values], rowMode: 'array' as const };
    const running = this.#client.query<(string | null)[], unknown[]>(question).catch((error: unknown) => {
      throw classifyError(error, 'statement', settings);
    });
    const { rows } = await cutOff(running, {
      signal,
      withinMs: statementMs,
      tooLate: () =>
        new ReconcilerFailure(
          'SourceUnavailable',
          'statement-timeout',
          `PostgreSQL at ${addressOf(settings)} did not answer within ${statementMs} ms. ` +
            'Look there for a lock on the catalog tables or an overloaded server.',
        ),
      end: () => this.destroy(),
    });
    return rows;
  }

  destroy(): void {
    this.#usable = false;
    this.#socket.destroy();
  }

  /** Says goodbye, so that the server's log stays free of broken connections. */
  async close(): Promise<void> {
    if (!this.#usable) return;
    this.#usable = false;
    await cutOff(this.#client.end(), {
      signal: AbortSignal.timeout(goodbyeMs),
      end: () => this.#socket.destroy(),
    }).catch(() => {}); // it is gone either way
  }
}

async function passwordOf({ settings, password }: SessionOptions): Promise<string> {
  const address = addressOf(settings);
  let given: string | undefined;
  try {
    given = typeof password === 'function' ? await password() : password;
  } catch (cause) {
    const message = `The password for ${address} could not be read. Look at where the catalog’s secret is kept.`;
    throw new ReconcilerFailure('SourceUnavailable', 'password-unreadable', message, { cause });
  }
  if (given !== undefined && given !== '') return given;
  const message = `PostgreSQL at ${address} asks for a password and none is configured for user ${settings.user}.`;
  throw new ReconcilerFailure('SourceAccessDenied', 'password-missing', message);
}

async function tlsOptions({ sslmode, sslrootcert }: PostgresSettings): Promise<false | ConnectionOptions> {
  if (sslmode === 'disable') return false;
  if (sslmode === 'require') return { rejectUnauthorized: false };
  const ca = sslrootcert === undefined ? {} : { ca: await certificates(sslrootcert) };
  return sslmode === 'verify-full' ? ca : { ...ca, checkServerIdentity: () => undefined };
}

async function certificates(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ReconcilerFailure('InvalidRequest', 'sslrootcert', `sslrootcert ${file} cannot be read.`, { cause });
  }
}

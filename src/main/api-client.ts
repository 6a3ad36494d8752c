import { Pool } from 'undici';
import type { z } from 'zod';
import type { Secret } from '../config/secret.ts';
import { Problem } from '../api/problems/api-problem.ts';

/** The API is on this machine or near it; a connection that takes longer does not come at all. */
const connectTimeoutMs = 5_000;
/** The slowest ordinary answer is a decision of a thousand items, for which the API waits 20 s. */
const answerTimeoutMs = 60_000;

/** Nothing, or something else, answers where the API should be. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

/** The API answered with a problem. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.title}: ${problem.detail}`);
    this.problem = problem;
  }
}

export interface ApiAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** Addresses begin with `/api`; an answer that does not fit its schema is not our API's. */
export interface ApiClient {
  get<T>(address: string, answer: z.ZodType<T>): Promise<T>;
  post<T>(
    address: string,
    answer: z.ZodType<T>,
    request?: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** For what may take minutes. */
      readonly timeoutMs?: number;
    },
  ): Promise<ApiAnswer<T>>;
  delete<T>(address: string, answer: z.ZodType<T>): Promise<T>;
  close(): Promise<void>;
}

/** A client of the API at `url`, acting as whom the token proves or, where the API asks for none, as `actor`. Throws {@link ApiUnreachable} and {@link ApiRefusal}. */
export function openApi(url: string, actor: string, token?: Secret): ApiClient {
  const base = new URL(url);
  // a pool takes a path as it is; `fetch` would fold the names `.` and `..` away
  const pool = new Pool(base.origin, { connections: 4, connect: { timeout: connectTimeoutMs } });
  const prefix = base.pathname.replace(/\/$/, '');
  const headers = {
    accept: 'application/json',
    // headers travel as Latin-1; the API reads the bytes as UTF-8
    'x-actor': Buffer.from(actor, 'utf8').toString('latin1'),
    'x-actor-via': 'cli',
    ...(token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }),
  };

  async function ask<T>(
    method: 'GET' | 'POST' | 'DELETE',
    address: string,
    answer: z.ZodType<T>,
    more: { readonly body?: string; readonly headers?: Readonly<Record<string, string>>; readonly timeoutMs?: number },
  ): Promise<ApiAnswer<T>> {
    const { status, text } = await exchange(method, address, more);
    const value = parsed(text);
    if (status >= 400) {
      const problem = Problem.safeParse(value);
      throw problem.success ? new ApiRefusal(problem.data) : stranger(url, `status ${status}`);
    }
    const fitting = answer.safeParse(value);
    if (!fitting.success) throw stranger(url, 'an answer of another shape');
    return { status, body: fitting.data };
  }

  async function exchange(
    method: 'GET' | 'POST' | 'DELETE',
    address: string,
    more: { readonly body?: string; readonly headers?: Readonly<Record<string, string>>; readonly timeoutMs?: number },
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { body, timeoutMs = answerTimeoutMs } = more;
    try {
      const response = await pool.request({
        method,
        path: `${prefix}${address}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more.headers },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw new ApiUnreachable(`Nothing answers at ${url} (${reasonOf(error)}).`, { cause: error });
    }
  }

  return {
    get: async (address, answer) => (await ask('GET', address, answer, {})).body,
    post: async (address, answer, { body, ...more } = {}) =>
      ask('POST', address, answer, { ...more, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    delete: async (address, answer) => (await ask('DELETE', address, answer, {})).body,
    close: () => pool.close(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stranger(url: string, what: string): ApiUnreachable {
  return new ApiUnreachable(`Something else than our API, or another version of it, answers at ${url}: ${what}.`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
}

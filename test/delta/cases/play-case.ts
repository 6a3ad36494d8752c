import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { scratchFolder } from '../../support/scratch.ts';
import type { Call, DeltaCase, Expected, Step } from './delta-case.ts';
import type { DeltaServer } from './delta-server.ts';
import { mismatches } from './matching.ts';

/** Plays one case in a schema of its own. */
export async function playCase(server: DeltaServer, { steps }: DeltaCase): Promise<void> {
  const { catalog, schema } = await server.openSchema();
  const folder = await scratchFolder();
  const game = new Game(server, {
    C: catalog,
    S: schema,
    P: `/delta/v1/catalogs/${encodeURIComponent(catalog)}/schemas/${encodeURIComponent(schema)}`,
    EXT: pathToFileURL(folder).href,
    EXTPATH: folder,
  });
  for (const [index, step] of steps.entries()) await game.play(step, `step ${index + 1}`);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
}

class Game {
  private readonly server: DeltaServer;
  private readonly variables: Map<string, string>;

  constructor(server: DeltaServer, variables: Readonly<Record<string, string>>) {
    this.server = server;
    this.variables = new Map(Object.entries(variables));
  }

  async play(step: Step, name: string): Promise<void> {
    if ('backend' in step) return;
    if ('sleepMs' in step) await setTimeout(step.sleepMs);
    else if ('files' in step) await this.write(step.files);
    else if ('parallel' in step) await this.playParallel(step.parallel, step.expect.outcomes, name);
    else this.check(await this.call(step), step.expect, step.save ?? {}, name);
  }

  private async playParallel(
    calls: readonly Call[],
    outcomes: Readonly<Record<string, number>>,
    name: string,
  ): Promise<void> {
    const counted: Record<string, number> = {};
    for (const { status, text } of await Promise.all(calls.map((call) => this.call(call)))) {
      const type: unknown = status < 400 ? undefined : JSON.parse(text).error.type;
      const outcome = typeof type === 'string' ? `${status}:${type}` : String(status);
      counted[outcome] = (counted[outcome] ?? 0) + 1;
    }
    expect(counted, name).toEqual(outcomes);
  }

  private check(answer: Answer, expected: Expected, save: Readonly<Record<string, string>>, name: string): void {
    const { status, body, text = [], empty = false, contentType = '' } = this.fill(expected);
    const told = `${name} answered ${answer.status} ${answer.text}`;
    if (status !== undefined) expect(answer.status, told).toBe(status);
    if (empty) expect(answer.text, told).toBe('');
    expect(answer.contentType, told).toContain(contentType);
    const compact = answer.text.replaceAll(/\s*([{}[\]:,])\s*/g, '$1');
    for (const fragment of text) expect(compact, told).toContain(fragment);
    if (body !== undefined) expect(mismatches(JSON.parse(answer.text), body), told).toEqual([]);
    for (const [variable, path] of Object.entries(save)) {
      const value = path
        .split('/')
        .reduce<unknown>((inside, key) => (inside as Readonly<Record<string, unknown>>)[key], JSON.parse(answer.text));
      this.variables.set(variable, String(value));
    }
  }

  private async call(call: Call): Promise<Answer> {
    const { method, path, body, raw, headers, as } = this.fill(call);
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body).replaceAll(/"<int:(\d+)>"/g, '$1'));
    const response = await fetch(this.server.baseUrl + path, {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.server.headersOf(as),
        ...lowerCased(headers ?? {}),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    return { status: response.status, text, contentType: response.headers.get('content-type') ?? '' };
  }

  private async write(files: readonly { readonly path: string; readonly content: string }[]): Promise<void> {
    for (const { path, content } of this.fill(files)) {
      const file = fileURLToPath(path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  /** Puts the variables in, wherever a text names one. */
  private fill<T>(value: T): T {
    const filled = (part: unknown): unknown => {
      if (typeof part === 'string')
        return part.replaceAll(/\$\{(\w+)\}/g, (name, key) => this.variables.get(key) ?? name);
      if (Array.isArray(part)) return part.map(filled);
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, filled(inner)]));
    };
    return filled(value) as T;
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

import { readFileSync } from 'node:fs';
import type { Requirement } from './delta-server.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: string;
}

export interface Expected {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: readonly string[];
  readonly empty?: boolean;
  readonly contentType?: string;
}

export type Step =
  | (Call & { readonly expect: Expected; readonly save?: Readonly<Record<string, string>> })
  | { readonly parallel: readonly Call[]; readonly expect: { readonly outcomes: Readonly<Record<string, number>> } }
  | { readonly files: readonly { readonly path: string; readonly content: string }[] }
  | { readonly sleepMs: number }
  /** A statement about the port, which tests of the handler hold. */
  | { readonly backend: string };

export interface DeltaCase {
  readonly id: string;
  readonly title: string;
  readonly requires?: readonly Requirement[];
  readonly steps: readonly Step[];
}

export const allCases = JSON.parse(
  // an integer of 64 bits would be rounded by the parser: its digits are kept as text, and written back without quotes
  readFileSync(new URL('delta-cases.json', import.meta.url), 'utf8').replaceAll(
    /: (\d{17,})(?=[\s,}])/g,
    ': "<int:$1>"',
  ),
) as readonly DeltaCase[];

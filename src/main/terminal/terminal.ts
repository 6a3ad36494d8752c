import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Where commands write: results to one stream, everything about the way there to the other. */
export interface Terminal {
  /** A line of the result. */
  say(line?: string): void;
  /** A line beside the result: progress, advice, errors. */
  tell(line?: string): void;
  /** The result for programs: one JSON value. */
  json(value: unknown): void;
  /** One of many results for programs: a JSON value a line. */
  line(value: unknown): void;
  /** The stream beside the result, where it shows to a person who watches; progress may be drawn on it. */
  readonly screen?: Writable;
  /** Asks a person a question that takes yes or no; not there where no person could answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

export interface TerminalStreams {
  readonly out: Writable & { readonly isTTY?: boolean };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly in?: Readable & { readonly isTTY?: boolean };
}

/**
 * Names and messages come from sources and registries, and a terminal obeys what it prints: control characters are
 * shown as a replacement character, the ones that turn writing direction too.
 */
const obeyed = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export function openTerminal({ out, err, in: input }: TerminalStreams): Terminal {
  const line = (text: string) => `${text.replaceAll(obeyed, '\ufffd')}\n`;
  return {
    say: (text = '') => void out.write(line(text)),
    tell: (text = '') => void err.write(line(text)),
    // JSON escapes control characters by itself
    json: (value) => void out.write(`${JSON.stringify(value, undefined, 2)}\n`),
    line: (value) => void out.write(`${JSON.stringify(value)}\n`),
    ...(err.isTTY === true ? { screen: err } : {}),
    ...(input?.isTTY === true && err.isTTY === true ? { confirm: (question) => confirm(question, input, err) } : {}),
  };
}

/** Anything but a yes is a no, the end of the input included. */
async function confirm(question: string, input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

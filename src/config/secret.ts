import { inspect } from 'node:util';

/**
 * A value that must not end up in a log, an error or an answer. Whoever needs it calls {@link reveal} at the last
 * moment; printing, JSON and template strings show a placeholder.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [inspect.custom](): string {
    return placeholder;
  }
}

/** What each of them holds, for whoever needs it at the last moment. */
export function revealAll(secrets: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]));
}

const placeholder = '[secret]';

import type { z } from 'zod';

/** One key of the configuration. Reading it, its environment variable, its errors and its documentation come from here. */
export interface Setting<T = unknown> extends Words<T> {
  readonly kind: 'setting';
  readonly shape: z.ZodType<T>;
}

export interface Words<T = unknown> {
  /** What it is for, in a sentence or two. */
  readonly about: string;
  /** What may be written, as the end of "Write …". */
  readonly expects: string;
  /** What holds where nothing is written. */
  readonly fallback?: T;
  /** The same in words, where the value itself would say too little. */
  readonly fallbackText?: string;
  /** Its environment variable, where that is not the key in capitals behind `RECONCILER_`. */
  readonly env?: string;
  /** Never shown in an error. Its variable holds the secret itself and is read as a reference to it. */
  readonly secret?: boolean;
  /** Never shown in an error either: references to secrets are in it, and somebody may write the secret itself. */
  readonly hidden?: boolean;
  /** Values that people expect and that cannot be had, with the reason. */
  readonly refusals?: Readonly<Record<string, string>>;
}

/** Keys that belong together, below a key of their own. */
export interface Section<K extends Keys = Keys> {
  readonly kind: 'section';
  readonly about: string;
  readonly keys: K;
}

/** A section per name, where the names are the user's. Has no environment variables. */
export interface Named<S extends Section = Section> {
  readonly kind: 'named';
  /** What the name is the name of: `catalog`. */
  readonly of: string;
  readonly about: string;
  readonly each: S;
}

export interface Keys {
  readonly [key: string]: Setting | Section | Named;
}

/** What was written of a section; everything in it is valid, and nothing is filled in. */
export type Given<S extends Section> =
  S extends Section<infer K> ? { readonly [P in keyof K]?: GivenPart<K[P]> } : never;

type GivenPart<P> =
  P extends Setting<infer T>
    ? T
    : P extends Named<infer S>
      ? ReadonlyMap<string, Given<S>>
      : P extends Section
        ? Given<P>
        : never;

export function setting<Z extends z.ZodType, const W extends Words<z.output<Z>>>(
  shape: Z,
  words: W,
): Setting<z.output<Z>> & W {
  return { kind: 'setting', shape: shape as z.ZodType<z.output<Z>>, ...words };
}

export function section<K extends Keys>(about: string, keys: K): Section<K> {
  return { kind: 'section', about, keys };
}

export function named<S extends Section>(of: string, about: string, each: S): Named<S> {
  return { kind: 'named', of, about, each };
}

/** `reconcile.guard.minCount` → `RECONCILER_RECONCILE_GUARD_MIN_COUNT`. */
export function variableName(key: readonly string[]): string {
  return `RECONCILER_${key.map((part) => part.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')}`;
}

export function variableOf(key: readonly string[], { env }: Setting): string {
  return env ?? variableName(key);
}

/** A key as people write it; a name that holds more than word characters is quoted, so that its dots cannot mislead. */
export function keyText(key: readonly string[]): string {
  return key.map((part) => (/^[\w<>-]+$/.test(part) ? part : JSON.stringify(part))).join('.');
}

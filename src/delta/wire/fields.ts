import { DeltaError } from '../delta-error.ts';
import { type Json, type JsonObject, isJsonObject, member } from './json.ts';

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const int32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

export function invalid(message: string): DeltaError {
  return new DeltaError('InvalidArgument', message);
}

/** A required member that was left out; to be thrown where the rules come to it. */
export function required<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw invalid(`${path} is required.`);
  return value;
}

/**
 * Reads the members of one object strictly: a member that is not among `known` refuses, nothing is coerced, and `null`
 * counts as left out. Whether a member may be left out is for the caller to say.
 */
export class Fields {
  readonly path: string;
  private readonly given: JsonObject;

  constructor(value: Json | undefined, path: string, known: readonly string[]) {
    if (!isJsonObject(value)) throw invalid(`${path === '' ? 'The request body' : path} must be an object.`);
    this.path = path;
    this.given = value;
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) throw invalid(`Unknown field: ${this.at(key.slice(0, 100))}.`);
    }
  }

  at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  /** Whether the member was sent as `null`, which a few places tell from leaving it out. */
  isNull(key: string): boolean {
    return member(this.given, key) === null;
  }

  any(key: string): Exclude<Json, null> | undefined {
    return member(this.given, key) ?? undefined;
  }

  text(key: string): string | undefined {
    return this.read(key, 'a string', (value) => (typeof value === 'string' ? value : undefined));
  }

  boolean(key: string): boolean | undefined {
    return this.read(key, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  int64(key: string): bigint | undefined {
    return this.read(key, 'an integer of 64 bits', (value) => integer(value, int64));
  }

  int32(key: string): number | undefined {
    const value = this.read(key, 'an integer of 32 bits', (given) => integer(given, int32));
    return value === undefined ? undefined : Number(value);
  }

  oneOf<T extends string>(key: string, words: readonly T[]): T | undefined {
    return this.read(key, words.map((word) => `"${word}"`).join(' or '), (value) =>
      words.find((word) => word === value),
    );
  }

  list<T>(key: string, read: (item: Json, path: string) => T): readonly T[] | undefined {
    const items = this.read(key, 'an array', (value) =>
      Array.isArray(value) ? (value as readonly Json[]) : undefined,
    );
    return items?.map((item, index) => read(item, `${this.at(key)}[${index}]`));
  }

  texts(key: string): readonly string[] | undefined {
    return this.list(key, (item, path) => {
      if (typeof item !== 'string') throw invalid(`${path} must be a string.`);
      return item;
    });
  }

  int64s(key: string): readonly bigint[] | undefined {
    return this.list(key, (item, path) => {
      const value = integer(item, int64);
      if (value === undefined) throw invalid(`${path} must be an integer of 64 bits.`);
      return value;
    });
  }

  object(key: string): JsonObject | undefined {
    return this.read(key, 'an object', (value) => (isJsonObject(value) ? value : undefined));
  }

  /** A map from any key to strings. */
  textMap(key: string): ReadonlyMap<string, string> | undefined {
    const object = this.object(key);
    if (object === undefined) return undefined;
    return new Map(
      Object.entries(object).map(([name, value]) => {
        if (typeof value !== 'string') throw invalid(`${this.at(key)}: the value of "${name}" must be a string.`);
        return [name, value];
      }),
    );
  }

  nested<T>(key: string, read: (value: Json, path: string) => T): T | undefined {
    const value = this.any(key);
    return value === undefined ? undefined : read(value, this.at(key));
  }

  private read<T>(key: string, what: string, accept: (value: Json) => T | undefined): T | undefined {
    const value = this.any(key);
    if (value === undefined) return undefined;
    const accepted = accept(value);
    if (accepted === undefined) throw invalid(`${this.at(key)} must be ${what}.`);
    return accepted;
  }
}

function integer(value: Json, { min, max }: { readonly min: bigint; readonly max: bigint }): bigint | undefined {
  return typeof value === 'bigint' && value >= min && value <= max ? value : undefined;
}

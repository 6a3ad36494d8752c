import { LosslessNumber, isLosslessNumber, parse, stringify } from 'lossless-json';
import { DeltaError } from '../delta-error.ts';

/** A number that is no plain integer; its text is kept as it came. */
export type OtherNumber = LosslessNumber;

/** JSON as it came: integers are `bigint`, since the API counts beyond what a `number` keeps. */
export type Json = null | boolean | string | bigint | OtherNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** `-0` and leading zeros are not how an integer is written back, and no int64 is longer. */
const plainInteger = /^(?:0|-?[1-9]\d{0,18})$/;

/** The object that a request body must be. */
export function readJsonObject(text: string): JsonObject {
  const value = readJson(text);
  if (!isJsonObject(value)) throw new DeltaError('InvalidArgument', 'The request body must be a JSON object.');
  return value;
}

export function readJson(text: string): Json {
  try {
    const value = parse(text, undefined, {
      parseNumber: (digits) => (plainInteger.test(digits) ? BigInt(digits) : new LosslessNumber(digits)),
    }) as Json;
    checkTexts(value);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    throw new DeltaError('InvalidArgument', `The request body is not JSON: ${error.message}`, { cause: error });
  }
}

/** Whether a store can keep the text as it is: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function checkTexts(value: Json): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      throw new DeltaError('InvalidArgument', 'The request body has text that is not Unicode, or U+0000.');
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) checkTexts(item);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      checkTexts(key);
      checkTexts(item);
    }
  }
}

/** Compact; `undefined` members are left out, and integers are written in full. */
export function jsonText(value: unknown): string {
  return stringify(value) ?? 'null';
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Own members only: a key such as `constructor` is a key like any other. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

import { z } from 'zod';

/**
 * Control characters do not fit a text column or a log line. Written as ranges, since the patterns stand in the OpenAPI
 * document and not every reader of it knows Unicode's properties.
 */
const printable = /^[^\u0000-\u001f\u007f-\u009f]+$/;
const printableLines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/;

export function isPrintable(text: string): boolean {
  return printable.test(text) && text.isWellFormed();
}

/** A lone surrogate is no character: it would be stored as another text. No JSON Schema can say so. */
export const wellFormed = [(text: string) => text.isWellFormed(), 'well-formed Unicode'] as const;

/** Longer than any system allows a name to be, with room for names that are composed. */
export const maxNameLength = 1_000;

/** The name of a metalake or catalog, decoded once from its segment of the address. */
export const Name = z
  .string()
  .min(1)
  .max(maxNameLength)
  .regex(printable, 'no control characters')
  .refine(...wellFormed)
  .meta({ description: 'A name; in an address encoded once, as encodeURIComponent does.' });

/** An id of ours or of Temporal's: opaque, compared only. */
export const Id = z
  .string()
  .min(1)
  .max(200)
  .regex(printable, 'no control characters')
  .refine(...wellFormed);

/** Hexadecimal, of whatever length the hash has. */
export const Digest = z
  .string()
  .min(1)
  .max(200)
  .regex(printable, 'no control characters')
  .refine(...wellFormed);

/** Why somebody did something: a few sentences, not a document. */
export const Reason = z
  .string()
  .trim()
  .regex(/\S/, 'say why')
  .max(2_000)
  .regex(printableLines, 'no control characters')
  .refine(...wellFormed)
  .meta({ description: 'Why, in a few sentences; kept in the audit.' });

/** Any character that may stand for itself, and the escapes that a path text writes for those that may not. */
const plain = String.raw`[^%\u0000-\u001f\u007f]|%25|%2F|%[01][0-9A-F]|%7F`;
const highHalf = '%uD[89AB][0-9A-F]{2}';
const lowHalf = '%uD[C-F][0-9A-F]{2}';
/** Halves of characters are escaped alone only: a low one right after a high one is a whole, which stands for itself. */
const pathTextPattern = new RegExp(`^(?:${plain}|${lowHalf}|(?:${highHalf})+(?:${plain}|$))+$`);

/** `sales/orders`: segments joined by `/`, with `%` and `/` inside a segment escaped. */
export const PathText = z
  .string()
  .min(1)
  .max(8_000)
  .regex(pathTextPattern, 'not a path text: within a name write % as %25 and / as %2F');

/** Unix milliseconds; up to the year 9999, after which dates cannot be written any more. */
export const Time = z.int().min(0).max(253_402_300_799_999).meta({ description: 'Unix milliseconds' });

export const catalogParams = z.object({ metalake: Name, catalog: Name });

/** A whole number in a query: digits and nothing else, since `Number` takes an empty text for 0. */
export function queryNumber(min: number, max: number) {
  const number = z.int().min(min).max(max);
  return z.preprocess((text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text), number);
}

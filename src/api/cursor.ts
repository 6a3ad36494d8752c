import { z } from 'zod';
import { ApiProblem } from './problems/api-problem.ts';

/** A path has a few names of up to a few hundred characters; the whole address must stay below 64 KiB. */
const maxLength = 8_000;

/** How a cursor looks from outside: opaque, and only worth giving back. */
export const CursorText = z
  .string()
  .min(1)
  .max(maxLength)
  .meta({ description: '`next` of the page before, unchanged.' });

/** Where a page ended, as a text that fits an address. The first member of `position` names its list. */
export function encodeCursor(position: readonly [list: string, ...unknown[]]): string {
  return Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
}

/** The position that {@link encodeCursor} wrote. Throws problem `invalid-cursor` for anything that is not one. */
export function decodeCursor<T>(text: string, shape: z.ZodType<T>): T {
  const position = shape.safeParse(parsed(text));
  if (!position.success) throw new ApiProblem('invalid-cursor', 'The cursor cannot be read.');
  return position.data;
}

function parsed(text: string): unknown {
  try {
    const bytes = Buffer.from(text, 'base64url');
    // Node's decoder skips what it does not know; only the exact text is one of ours
    if (bytes.toString('base64url') !== text) return undefined;
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

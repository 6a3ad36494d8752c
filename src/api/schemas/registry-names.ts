import { z } from 'zod';
import { Name, wellFormed } from './text.ts';

/** As long as the registry keeps a name; longer than any source allows. */
const longestName = 255;

/** As deep as the registry keeps a path. */
const deepestPath = 32;

/** Separates the levels of a schema inside its one segment of an address; encoded as `%1F`, as Iceberg REST does. */
export const levelSeparator = '\u001f';

/** A NUL does not fit a text column. */
const storable = /^[^\u0000]*$/;

/** Text that can be stored as it is. */
export function storedText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(storable, 'no NUL character')
    .refine(...wellFormed);
}

/** The name of a metalake or catalog of the embedded registry: printable, since it stands in log lines. */
export const RegistryName = Name.max(longestName);

/** One level of a path: whatever the source calls it, control characters included. */
export const LevelName = storedText(longestName).min(1);

/** A full path, outermost level first. */
export const LevelPath = z
  .tuple([LevelName], LevelName)
  .refine((path) => path.length <= deepestPath, `at most ${deepestPath} levels`)
  .meta({ description: 'Outermost level first: `["sales", "orders"]`.' });

/** A schema in an address: its levels joined by U+001F, the whole encoded once. */
export const SchemaSegment = z
  .string()
  .min(1)
  // every level has a character; what else is asked of one is asked below
  .regex(/^[^\u0000\u001f]+(\u001f[^\u0000\u001f]+)*$/, 'levels joined by U+001F, none of them empty')
  .meta({ description: 'The levels of the schema joined by U+001F (`%1F`), encoded once: `sales%1Feurope`.' })
  .transform((text) => text.split(levelSeparator))
  .pipe(LevelPath);

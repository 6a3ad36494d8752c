import { z } from 'zod';
import { CursorText } from '../cursor.ts';
import { storedText } from './registry-names.ts';
import { queryNumber } from './text.ts';

/** Principals, tags and policies are names that people read. */
const longestLabel = 255;

/** Delta keeps whole schemas in a property; a megabyte is what a request may have in all. */
const longestValue = 262_144;

/** More than any table of any catalog has; each is a row or a key. */
const mostLabels = 1_000;

export const Label = storedText(longestLabel).min(1);
const Value = storedText(longestValue);
const Key = storedText(longestLabel).min(1);

export const Comment = storedText(longestValue);
export const StorageLocation = storedText(8_192).min(1).meta({ description: 'Where the data lies, as a URI.' });

export const Tags = z.array(Label).max(mostLabels);
export const Policies = z.array(Label).max(mostLabels);
export const Grants = z.array(z.strictObject({ principal: Label, privilege: Label })).max(mostLabels);

export const Texts = bounded(z.record(Key, Value));
/** `null` takes a key away; keys that are not named stay. */
export const TextsChange = bounded(z.record(Key, Value.nullable()));

/** Only ever received: no answer has a member of this shape. */
export const Secrets = bounded(z.record(Key, Value)).meta({
  description: 'Write-only: stored apart from properties, and part of no answer.',
  writeOnly: true,
});
export const SecretsChange = bounded(z.record(Key, Value.nullable())).meta({
  description: 'Write-only. `null` takes a secret away; those that are not named stay.',
  writeOnly: true,
});

/** The version that the caller has seen, from `ETag`; `*` for any. */
export const ifMatch = z.object({
  'if-match': z
    .string()
    .regex(/^("?\d{1,10}"?|\*)$/, 'one strong entity tag of ours, or *')
    .transform((text) => (text === '*' ? undefined : text.replaceAll('"', '')))
    .exactOptional()
    .meta({ description: 'The `ETag` that was seen; another version is refused.' }),
});

/** A page of 1,000 registrations is a quarter of a megabyte. */
export const registryPageQuery = {
  limit: queryNumber(1, 1_000).default(100),
  cursor: CursorText.exactOptional(),
};

function bounded<T extends z.ZodType<Record<string, unknown>>>(record: T): T {
  return record.refine((entries) => Object.keys(entries).length <= mostLabels, `at most ${mostLabels} members`);
}

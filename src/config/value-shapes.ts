import { z } from 'zod';
import { patternProblem } from './patterns.ts';

/** Text of one line that says something. */
export const line = z
  .string()
  .min(1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is refused
  .regex(/^[^\u0000-\u001f\u007f]*$/u);

export const wholeNumber = (least: number, most: number) => z.number().int().min(least).max(most);

export const share = (least: number, most: number) => z.number().min(least).max(most);

export const yesOrNo = z.boolean();

export const port = wholeNumber(0, 65_535);

/** Where a secret is kept; the secret itself is never written into the file. */
export const SecretReference = z.union([z.strictObject({ env: line }), z.strictObject({ file: line })]);
export type SecretReference = z.infer<typeof SecretReference>;
export const referenceText = '`{env: NAME}` or `{file: PATH}`: where the secret is kept, never the secret itself';

/** An address without a password, or the place where one with a password is kept. */
export const DatabaseAddress = z.union([line, SecretReference]);
export type DatabaseAddress = z.infer<typeof DatabaseAddress>;

const pattern = z.string().superRefine((text, context) => {
  const problem = patternProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

export const patterns = z.array(pattern).readonly();

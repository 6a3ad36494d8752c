import { resolve } from 'node:path';
import { type Environment, variable } from './environment.ts';
import { Secret } from './secret.ts';
import type { SecretReference } from './value-shapes.ts';

export interface SecretSource {
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
  /** Where relative paths begin. */
  readonly cwd: string;
}

/** What a reference leads to, or why it leads nowhere, as the end of a sentence. */
export type FoundSecret = { readonly secret: Secret } | { readonly problem: string };

/** Follows a reference. Of a file, one line break at the end belongs to the editor and not to the secret. */
export function findSecret(reference: SecretReference, source: SecretSource): FoundSecret {
  if ('env' in reference) {
    const value = variable(source.environment, reference.env);
    return value === undefined
      ? { problem: `refers to the environment variable ${reference.env}, which is not set` }
      : usable(value, `the environment variable ${reference.env}`);
  }
  try {
    const text = source.readFile(resolve(source.cwd, reference.file));
    return usable(text.replace(/\r?\n$/, ''), reference.file);
  } catch (error) {
    return { problem: `refers to the file ${reference.file}, which cannot be read: ${reasonOf(error)}` };
  }
}

function usable(value: string, place: string): FoundSecret {
  if (value === '') return { problem: `refers to ${place}, which is empty` };
  if (value.includes('\0')) return { problem: `refers to ${place}, which is no text` };
  return { secret: new Secret(value) };
}

/** A code or a message of the system; never anything of the content. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return String(error);
}

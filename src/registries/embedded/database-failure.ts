import { type FailureType, ReconcilerFailure } from '../../domain/failure.ts';
import { RegistryRefusal } from './refusal.ts';

/**
 * Runs work on the database and turns whatever it throws into a failure of the port. The original error is dropped, not
 * kept as the cause: the driver's and drizzle's messages repeat parameters, and one of them may be a secret.
 */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
}

/** The failure that an error of the database stands for; refusals and failures pass as they are. */
export function failureOf(error: unknown): Error {
  if (error instanceof RegistryRefusal || error instanceof ReconcilerFailure) return error;
  // A mistake of ours, not an answer of the database, and nothing of a statement is in it.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const code = codeOf(error) ?? 'unknown';
  const type = typeOf(code);
  return new ReconcilerFailure(type, code, `the embedded registry's database failed (${code})`);
}

/** By SQLSTATE class, or by the error code of Node where no server answered. */
function typeOf(code: string): FailureType {
  if (/^(28|42501)/.test(code)) return 'RegistryAccessDenied';
  // 08 connection, 40 rolled back, 53 resources, 55 not in state, 57 operator intervention, 58 system
  if (/^(08|40|53|55|57|58)/.test(code)) return 'RegistryUnreachable';
  if (/^[0-9A-Z]{5}$/.test(code) && /[0-9]/.test(code)) return 'RegistryProtocolError';
  return 'RegistryUnreachable';
}

/** Drizzle wraps the driver's error, so the code may be some causes down. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

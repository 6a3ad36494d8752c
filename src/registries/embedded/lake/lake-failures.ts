import { DeltaError, LocationTaken, TableBusy } from '../../../delta/delta-error.ts';
import { ReconcilerFailure } from '../../../domain/failure.ts';
import { failureOf } from '../database-failure.ts';
import { RegistryRefusal, type RefusalReason } from '../refusal.ts';

const ofRefusal = {
  'not-found': 'NoSuchTable',
  'already-exists': 'AlreadyExists',
  'id-taken': 'InvalidArgument',
  'not-empty': 'InvalidArgument',
  'version-conflict': 'UpdateRequirementConflict',
  'invalid-name': 'InvalidArgument',
  'invalid-cursor': 'InvalidArgument',
  'misplaced-secret': 'InvalidArgument',
  'invalid-move': 'InvalidArgument',
} as const satisfies Record<RefusalReason, string>;

/** Text that PostgreSQL cannot keep: NUL, and halves of surrogate pairs, in columns and in JSON. */
const unstorable = new Set(['22021', '22P02', '22P05']);

/** Given up by the database while nothing was changed: a lock not had in time, a deadlock, a serialisation failure. */
const busy = new Set(['55P03', '40P01', '40001']);

/** A container is dropped with what is in it only where that was said. */
export class LakeNotEmpty extends Error {
  override readonly name = 'LakeNotEmpty';
}

/** Runs work of the embedded registry and turns whatever it throws into the words of the Delta API. */
export async function asDelta<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw deltaErrorOf(error);
  }
}

/** The failure of the Delta API that an error of the embedded registry stands for. */
export function deltaErrorOf(error: unknown): Error {
  if (error instanceof DeltaError || error instanceof LocationTaken || error instanceof TableBusy) return error;
  if (error instanceof LakeNotEmpty) return error;
  const failure = failureOf(error);
  if (failure instanceof RegistryRefusal) return new DeltaError(ofRefusal[failure.reason], `${failure.message}.`);
  if (!(failure instanceof ReconcilerFailure)) return failure;
  if (unstorable.has(failure.code)) {
    return new DeltaError('InvalidArgument', 'Text with a NUL character, or that is not Unicode, cannot be stored.');
  }
  if (busy.has(failure.code)) return new TableBusy('Other writers held the table for too long.');
  return new DeltaError('Internal', 'The database of the registry failed.', { cause: failure });
}

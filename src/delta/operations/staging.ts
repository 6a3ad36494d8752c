import type { DeltaBackend } from '../backend.ts';
import { DeltaError } from '../delta-error.ts';
import type { StagingReservation } from '../table.ts';

export function stagingAt<Cx>(backend: DeltaBackend<Cx>, location: string, cx: Cx): Promise<StagingReservation> {
  return found(backend.resolveStagingByLocation(location, cx), location);
}

export function stagingById<Cx>(backend: DeltaBackend<Cx>, tableId: string, cx: Cx): Promise<StagingReservation> {
  return found(backend.resolveStagingById(tableId, cx), tableId);
}

/** In the words that clients look for. */
async function found(reservation: Promise<StagingReservation>, asked: string): Promise<StagingReservation> {
  try {
    return await reservation;
  } catch (error) {
    if (!(error instanceof DeltaError) || error.failure !== 'NoSuchTable') throw error;
    throw new DeltaError('NoSuchTable', `Staging table not found: ${asked}`, { cause: error });
  }
}

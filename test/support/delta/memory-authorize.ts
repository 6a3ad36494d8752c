import type { DeltaAction } from '../../../src/delta/backend.ts';
import { DeltaError } from '../../../src/delta/delta-error.ts';
import type { MemoryStore } from './memory-store.ts';

/** Owners may do everything with what is theirs, everybody may create, and nobody anything else. */
export function authorizeInMemory(store: MemoryStore, action: DeltaAction, caller: string): void {
  const owner = ownerOf(store, action);
  if (owner !== everybody && owner !== caller) {
    throw new DeltaError('PermissionDenied', `${caller} may not do this: ${action.kind}`);
  }
}

const everybody = Symbol('everybody');

function ownerOf(store: MemoryStore, action: DeltaAction): string | typeof everybody | null {
  switch (action.kind) {
    case 'GetConfig':
      store.catalog(action.catalog);
      return everybody;
    case 'CreateStaging':
    case 'CreateTable':
      store.schema(action.at);
      return everybody;
    case 'AdoptStaging':
      return action.reservation.createdBy;
    case 'ReadTable':
    case 'WriteTable':
    case 'DeleteTable':
    case 'VendTableCredential':
      return store.table(action.table).owner;
    case 'RenameTable':
      return store.table(action.from).owner;
    case 'VendPathCredential':
      return action.reservation?.createdBy ?? null;
    default:
      return null;
  }
}

import type { DeltaBackend } from '../backend.ts';
import type { ArbitrationRules } from '../commits/arbitrate.ts';
import { type JsonObject, isJsonObject, member } from '../wire/json.ts';

export interface DeltaOptions {
  readonly arbitration: ArbitrationRules;
  /** Managed tables must have their required properties after every change of properties. */
  readonly strictManagedProperties: boolean;
  /** EXTERNAL tables may overlap with each other. Two writers of one folder destroy each other's data. */
  readonly overlappingLocations: boolean;
}

/** What an operation works with. */
export interface Operation<Cx> {
  readonly backend: DeltaBackend<Cx>;
  readonly options: DeltaOptions;
}

/**
 * Reads the body when it is due: permission is asked before, so that who may do nothing learns nothing from a body's
 * faults. Throws `DeltaError`.
 */
export type ReadBody = () => JsonObject;

/** A text of the body for the question of permission; `''` where there is none, which is refused later. */
export function textIn(read: ReadBody, key: string): string {
  let body: JsonObject;
  try {
    body = read();
  } catch {
    return '';
  }
  const value = isJsonObject(body) ? member(body, key) : undefined;
  return typeof value === 'string' ? value : '';
}

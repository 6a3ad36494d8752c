import type { Registration } from '../../../domain/registration.ts';
import type { EmbeddedDatabase } from '../database.ts';

/**
 * The last question to the source before a registration goes. Anything but a clear "no such object" is `present` or
 * `unknown`; throwing counts as `unknown`. Asked outside any transaction, about one registration at a time, several at
 * once.
 */
export type StillExists = (catalog: string, registration: Registration) => Promise<'absent' | 'present' | 'unknown'>;

export interface OperationDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  /** Unix milliseconds; the only clock there is. */
  readonly now: () => number;
  readonly stillExists: StillExists;
}

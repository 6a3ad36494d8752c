import type { Registration } from '../../../domain/registration.ts';
import { RegistryRefusal } from '../refusal.ts';

/** Refuses where the caller expected another version; without an expectation any version will do. */
export function checkVersion(found: Pick<Registration, 'version'>, expected: string | undefined): void {
  if (expected === undefined || found.version === expected) return;
  throw new RegistryRefusal('version-conflict', `the version is ${found.version}, not ${expected}`);
}

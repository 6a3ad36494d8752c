import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { VendedCredential } from '../../../delta/table.ts';
import { assumeRole } from './assume-role.ts';
import type { Bucket } from './bucket.ts';
import type { StorageAccess } from './storage-access.ts';

const nothingNeeded: VendedCredential = { credential: { kind: 'none' } };

/**
 * Local disk, for which nothing is handed out, and configured buckets: the keys themselves, or those of an assumed role
 * that reach one folder only.
 */
export function storageAccess(buckets: readonly Bucket[]): StorageAccess {
  const byName = new Map(buckets.map((bucket) => [bucket.name, bucket]));
  return {
    async vend(location, access) {
      if (location.startsWith('file:')) return nothingNeeded;
      const [, name = '', key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(location) ?? [];
      const bucket = byName.get(name);
      if (bucket === undefined) {
        throw new DeltaError('InvalidArgument', `No credentials are configured for ${location}.`);
      }
      if (bucket.role !== undefined) return assumeRole(bucket, bucket.role, key, access);
      // the configuration refuses a bucket with neither
      return bucket.keys === undefined ? nothingNeeded : { credential: { kind: 's3', ...bucket.keys } };
    },
    read(location, relativePath) {
      if (!location.startsWith('file:')) throw new Error(`files of ${location} are not read here`);
      return createReadStream(join(fileURLToPath(location), relativePath));
    },
  };
}

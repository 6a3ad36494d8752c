import type { Access, StorageCredential, VendedCredential } from '../table.ts';
import { invalid } from './fields.ts';
import type { JsonObject } from './json.ts';

/** The end of the year 9999: some clients insist on an integer, also where nothing expires. */
const neverMs = 253_402_300_799_000n;

export function expirationMs({ expiresAtMs }: VendedCredential): bigint {
  return expiresAtMs ?? neverMs;
}

export function readAccess(operation: string | undefined): Access {
  if (operation === 'READ' || operation === 'READ_WRITE') return operation;
  throw invalid(operation === undefined ? 'operation is required.' : `Unknown operation: ${operation.slice(0, 100)}.`);
}

export function credentialsAnswer(prefix: string, operation: Access, vended: VendedCredential): JsonObject {
  return { 'storage-credentials': [credentialJson(prefix, operation, vended)] };
}

export function credentialJson(prefix: string, operation: Access, vended: VendedCredential): JsonObject {
  return {
    prefix,
    operation,
    'expiration-time-ms': expirationMs(vended),
    config: configOf(vended.credential),
  };
}

function configOf(credential: StorageCredential): JsonObject {
  switch (credential.kind) {
    case 'none':
      return {};
    case 's3':
      return {
        's3.access-key-id': credential.accessKeyId,
        's3.secret-access-key': credential.secretAccessKey,
        ...(credential.sessionToken === undefined ? {} : { 's3.session-token': credential.sessionToken }),
      };
    case 'azure':
      return { 'azure.sas-token': credential.sasToken };
    case 'gcs':
      return { 'gcs.oauth-token': credential.oauthToken };
  }
}

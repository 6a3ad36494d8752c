import type { FastifyRequest } from 'fastify';
import { DeltaError } from '../../../delta/delta-error.ts';
import { normalizeLocation } from '../../../delta/rules/location.ts';
import type { Access, VendedCredential } from '../../../delta/table.ts';
import { mayByRole } from '../../../domain/permission.ts';
import { PathCredentialBody, TableCredentialBody } from './unity-bodies.ts';
import { UnityRefusal } from './unity-failure.ts';
import { bodyOf } from './unity-request.ts';
import type { AddRoute, UnityRoutesDeps } from './unity-routes.ts';

/** A credential for a location and what is below it. */
export type VendCredentials = (location: string, access: Access) => Promise<VendedCredential>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The end of the year 9999: some clients insist on a number, also where nothing expires. */
const neverMs = 253_402_300_799_000;

/** Temporary credentials in the form of the older half of the API; the Delta half has its own. */
export function unityCredentialRoutes(add: AddRoute, { desk, vend }: UnityRoutesDeps): void {
  add('POST', '/temporary-table-credentials', 'read', async (request) => {
    const { table_id: id, operation } = bodyOf(request, TableCredentialBody);
    if (operation !== 'READ') requireOperator(request);
    if (!uuid.test(id)) throw new DeltaError('InvalidArgument', `Not an id of a table: ${id.slice(0, 100)}.`);
    const { row } = await desk.tableOfId(id.toLowerCase());
    const location = row.storageLocation ?? '';
    return credentials(location, await vended(vend, location, operation));
  });
  add('POST', '/temporary-path-credentials', 'operate', async (request) => {
    const { url, operation } = bodyOf(request, PathCredentialBody);
    const location = normalizeLocation(url);
    return credentials(location, await vended(vend, location, operation === 'PATH_READ' ? 'READ' : 'READ_WRITE'));
  });
}

async function vended(vend: VendCredentials, location: string, access: Access): Promise<VendedCredential> {
  try {
    return await vend(location, access);
  } catch (error) {
    if (!(error instanceof DeltaError) || error.failure !== 'InvalidArgument') throw error;
    throw new UnityRefusal('FAILED_PRECONDITION', error.message);
  }
}

/** Reading is for everybody with a role; a credential that writes is for those who may write. */
function requireOperator({ principal, actor }: FastifyRequest): void {
  if (principal === undefined || mayByRole(principal, 'operate')) return;
  throw new DeltaError('PermissionDenied', `${actor.name} may read only.`);
}

function credentials(url: string, { credential, expiresAtMs }: VendedCredential) {
  return {
    aws_temp_credentials:
      credential.kind === 's3'
        ? {
            access_key_id: credential.accessKeyId,
            secret_access_key: credential.secretAccessKey,
            session_token: credential.sessionToken ?? null,
          }
        : null,
    azure_user_delegation_sas: credential.kind === 'azure' ? { sas_token: credential.sasToken } : null,
    gcp_oauth_token: credential.kind === 'gcs' ? { oauth_token: credential.oauthToken } : null,
    expiration_time: expiresAtMs === undefined ? neverMs : Number(expiresAtMs),
    url,
  };
}

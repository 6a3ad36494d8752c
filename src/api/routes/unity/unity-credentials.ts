import { DeltaError } from '../../../delta/delta-error.ts';
import { normalizeLocation } from '../../../delta/rules/location.ts';
import { readUuid } from '../../../delta/rules/names.ts';
import type { Access, VendedCredential } from '../../../delta/table.ts';
import { expirationMs } from '../../../delta/wire/credentials-answer.ts';
import { requireOperator } from '../delta/delta-caller.ts';
import { PathCredentialBody, TableCredentialBody } from './unity-bodies.ts';
import { UnityRefusal } from './unity-failure.ts';
import { bodyOf } from './unity-request.ts';
import type { AddUnityRoute, UnityRoutesDeps } from './unity-routes.ts';

/** A credential for a location and what is below it. */
export type VendCredentials = (location: string, access: Access) => Promise<VendedCredential>;

/** Temporary credentials in the form of the older half of the API; the Delta half has its own. */
export function unityCredentialRoutes(add: AddUnityRoute, { desk, vend }: UnityRoutesDeps): void {
  add('POST', '/temporary-table-credentials', 'read', async (request) => {
    const { table_id: id, operation } = bodyOf(request, TableCredentialBody);
    if (operation !== 'READ') requireOperator(request);
    const { row } = await desk.tableOfId(readUuid(id, 'table_id'));
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

function credentials(url: string, found: VendedCredential) {
  const { credential } = found;
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
    expiration_time: Number(expirationMs(found)),
    url,
  };
}

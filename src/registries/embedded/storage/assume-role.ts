import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { Access, VendedCredential } from '../../../delta/table.ts';
import type { Bucket } from './bucket.ts';
import { sessionPolicy } from './session-policy.ts';

/** The SDK tries three times; a client that waits for a credential has given up before the fourth. */
const requestTimeoutMs = 10_000;

/** How AWS, and what speaks like it, tells that it was asked too often. */
const throttled = new Set(['Throttling', 'ThrottlingException', 'RequestLimitExceeded', 'TooManyRequestsException']);

/** A credential of the bucket's role, narrowed down to one folder. */
export async function assumeRole(
  bucket: Bucket,
  role: NonNullable<Bucket['role']>,
  key: string,
  access: Access,
): Promise<VendedCredential> {
  const { region, keys } = bucket;
  const client = new STSClient({
    region,
    ...(role.stsEndpoint === undefined ? {} : { endpoint: role.stsEndpoint }),
    ...(keys === undefined ? {} : { credentials: keys }),
  });
  try {
    const { Credentials: found } = await client.send(
      new AssumeRoleCommand({
        RoleArn: role.arn,
        RoleSessionName: 'catalog-reconciler',
        DurationSeconds: role.sessionSecs,
        Policy: sessionPolicy({ bucket: bucket.name, key }, access, role.arn.split(':')[1]),
        ...(role.externalId === undefined ? {} : { ExternalId: role.externalId }),
      }),
      { abortSignal: AbortSignal.timeout(requestTimeoutMs) },
    );
    if (found?.AccessKeyId === undefined || found.SecretAccessKey === undefined)
      throw new Error('no credential in the answer');
    return {
      credential: {
        kind: 's3',
        accessKeyId: found.AccessKeyId,
        secretAccessKey: found.SecretAccessKey,
        ...(found.SessionToken === undefined ? {} : { sessionToken: found.SessionToken }),
      },
      ...(found.Expiration === undefined ? {} : { expiresAtMs: BigInt(found.Expiration.getTime()) }),
    };
  } catch (error) {
    const why = error instanceof Error ? error.name : 'unknown';
    if (throttled.has(why))
      throw new DeltaError('TooManyRequests', `Too many credentials are asked for at once (${why}).`);
    throw new DeltaError('Internal', `No credential for bucket ${bucket.name} could be had (${why}).`, {
      cause: error,
    });
  } finally {
    client.destroy();
  }
}

import type { Access } from '../../../delta/table.ts';

/** What an assumed role may do for one client: nothing outside one folder, and no writing for one who reads. */
export function sessionPolicy(
  at: { readonly bucket: string; readonly key: string },
  access: Access,
  partition = 'aws',
): string {
  const bucket = `arn:${partition}:s3:::${literal(at.bucket)}`;
  const folder = literal(at.key);
  const reading = ['s3:GetObject'];
  const writing = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: access === 'READ' ? reading : [...reading, ...writing],
        Resource: [`${bucket}/${folder}${folder === '' ? '' : '/'}*`],
      },
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [bucket],
        ...(folder === '' ? {} : { Condition: { StringLike: { 's3:prefix': [`${folder}/*`] } } }),
      },
      { Effect: 'Allow', Action: ['s3:GetBucketLocation'], Resource: [bucket] },
    ],
  });
}

/** A folder whose name holds a sign that means something in a policy must not open its neighbours. */
function literal(text: string): string {
  return text.replaceAll(/[*?$]/g, '${$&}');
}

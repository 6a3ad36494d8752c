import { named, section, setting } from './setting.ts';
import { line, SecretReference, referenceText, wholeNumber } from './value-shapes.ts';

const role = 'the ARN of a role, as in `arn:aws:iam::123456789012:role/lake`';

const bucketSettings = section('One bucket of S3, or of a store that speaks its protocol.', {
  region: setting(line, { about: 'Its region.', expects: 'the name of a region', fallback: 'us-east-1' }),
  endpoint: setting(line, {
    about: 'Where the store is, if not at AWS.',
    expects: 'an address with `https:` or `http:`',
    fallbackText: 'that of the region',
  }),
  accessKeyId: setting(SecretReference, {
    about: 'The access key. Without `roleArn` it is handed to clients as it is, so take one that may do little.',
    expects: referenceText,
    secret: true,
  }),
  secretAccessKey: setting(SecretReference, { about: 'Its secret.', expects: referenceText, secret: true }),
  sessionToken: setting(SecretReference, {
    about: 'The token of a temporary access key.',
    expects: referenceText,
    secret: true,
  }),
  roleArn: setting(line, {
    about:
      'The role that is assumed for each client, narrowed down to the folder of one table. With the access key, or ' +
      'with the credentials of the machine where none is given.',
    expects: role,
    fallbackText: 'none: clients get the access key',
  }),
  externalId: setting(line, { about: 'What the role asks of who assumes it.', expects: 'a text' }),
  sessionSecs: setting(wholeNumber(900, 43_200), {
    about: 'How long the credentials of an assumed role last.',
    expects: 'seconds, from 900 to 43200',
    fallback: 3_600,
  }),
  stsEndpoint: setting(line, {
    about: 'Where roles are assumed, if not at AWS.',
    expects: 'an address with `https:` or `http:`',
    fallbackText: 'that of the region',
  }),
});

export const deltaSettings = section(
  'The Unity Catalog API, with its Delta half, under `/api/2.1/unity-catalog`. It serves one metalake, since its addresses name none.',
  {
    metalake: setting(line, {
      about: 'The metalake whose catalogs are served. One of the embedded registry.',
      expects: 'the name of a metalake',
      fallbackText: 'the only one of this file; not served where there is none or several',
    }),
    storageRoot: setting(line, {
      about: 'Where managed tables are laid whose schema and catalog name no root of their own.',
      expects: 'a location: `s3://bucket/path`, `file:///path`, or a path',
      fallbackText: 'none: managed tables need a root at their schema or catalog',
    }),
    buckets: named('bucket', 'How to reach buckets, and what clients are given for them.', bucketSettings),
  },
);

import { z } from 'zod';
import { reconcileSettings } from './reconcile-settings.ts';
import { named, section, setting } from './setting.ts';
import { DatabaseAddress, line, SecretReference, referenceText, wholeNumber } from './value-shapes.ts';

const later = 'is not there yet: it comes in a later version';

export const catalogSettings = section('One catalog: a group of registrations over one source.', {
  provider: setting(z.enum(['postgresql', 'delta']), {
    about: 'The kind of source behind the catalog. Required.',
    expects: '`postgresql` or `delta`',
    refusals: { mysql: later, kafka: later, iceberg: later, hive: later },
  }),
  connection: section(
    'How to reach the source. PostgreSQL: either `url`, or `host`, `database` and `user`. Delta: `root`.',
    {
      url: setting(DatabaseAddress, {
        about: 'Everything in one: `postgresql://user@host:5432/database?sslmode=require`. No password in plain text.',
        expects: 'an address without a password, or `{env: NAME}` or `{file: PATH}` for one with a password',
        secret: true,
      }),
      host: setting(line, { about: 'Name or address of the server.', expects: 'a host name or an address' }),
      port: setting(wholeNumber(1, 65_535), {
        about: 'Port of the server.',
        expects: 'a whole number from 1 to 65535',
        fallback: 5432,
      }),
      database: setting(line, {
        about:
          'The database that the catalog stands for. A server that answers with another one counts as unreachable.',
        expects: 'the name of a database',
      }),
      user: setting(line, {
        about: 'Whom the probes run as. It must be able to look at everything that is registered.',
        expects: 'the name of a user',
      }),
      sslmode: setting(z.enum(['disable', 'require', 'verify-ca', 'verify-full']), {
        about: 'As in libpq.',
        expects: '`disable`, `require`, `verify-ca` or `verify-full`',
        fallbackText: 'as the source decides',
      }),
      root: setting(line, {
        about:
          'Delta: the folder or bucket under which the tables lie; of a mount, the mount point. Others are unknown.',
        expects: '`s3://bucket`, `s3://bucket/prefix` or the full path of a folder',
      }),
      endpoint: setting(line, {
        about: 'Delta in a bucket: where the store is, if not at AWS.',
        expects: 'an address with `https:` or `http:`',
        fallbackText: 'that of the region',
      }),
      region: setting(line, {
        about: 'Delta in a bucket: its region.',
        expects: 'the name of a region',
        fallbackText: '`us-east-1`',
      }),
      pathStyle: setting(z.boolean(), {
        about: 'Delta in a bucket: whether addresses have the bucket in their path, as most stores but AWS want it.',
        expects: '`true` or `false`',
        fallbackText: 'yes with an `endpoint`',
      }),
      accessKeyId: setting(line, {
        about: 'Delta in a bucket: whom the probes run as. It needs `s3:ListBucket` and `s3:GetObject`.',
        expects: 'the id of an access key',
      }),
    },
  ),
  password: setting(SecretReference, {
    about: 'PostgreSQL: the password of that user.',
    expects: referenceText,
    secret: true,
  }),
  secretAccessKey: setting(SecretReference, {
    about: 'Delta in a bucket: the secret of the access key.',
    expects: referenceText,
    secret: true,
  }),
  sessionToken: setting(SecretReference, {
    about: 'Delta in a bucket: the token of a temporary access key.',
    expects: referenceText,
    secret: true,
  }),
  owner: setting(line, {
    about: 'Who may reconcile the catalog besides the owner of its metalake.',
    expects: 'a name',
  }),
  managedKinds: setting(z.array(z.enum(['schema', 'table', 'view', 'topic'])).readonly(), {
    about: 'Kinds whose storage the catalog itself manages. They are never reconciled.',
    expects: 'a list of `schema`, `table`, `view` and `topic`',
    fallback: [],
    fallbackText: 'none; `schema` for Delta, whose schemas have no storage of their own',
  }),
  caseRule: setting(z.enum(['sensitive', 'lower', 'upper', 'insensitive']), {
    about: 'How the embedded registry treats the case of names. Fixed once the catalog exists.',
    expects: '`sensitive`, `lower`, `upper` or `insensitive`',
    fallback: 'sensitive',
  }),
  reconcile: reconcileSettings,
});

export const metalakeSettings = section('One registry, under the name that it has in addresses and commands.', {
  registry: setting(z.enum(['embedded']), {
    about: 'Which registry holds the registrations.',
    expects: '`embedded`',
    fallback: 'embedded',
    refusals: { gravitino: later, unity: later },
  }),
  owner: setting(line, { about: 'Who may reconcile every catalog in it.', expects: 'a name' }),
  catalogs: named('catalog', 'The catalogs of the metalake.', catalogSettings),
});

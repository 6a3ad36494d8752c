import { z } from 'zod';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { type Place, readRoot } from './location.ts';

/** Where the tables of a catalog lie and who asks, as the registry's catalog states it. Secrets travel apart. */
const Settings = z.strictObject(
  {
    /** `s3://bucket/prefix`, or a folder: the mount point, where it is on a mount. */
    root: z.string('root is missing').min(1, 'root is empty'),
    /** Where the store is, if not at AWS. */
    endpoint: z.url({ protocol: /^https?$/, error: 'endpoint must be an address with https: or http:' }).optional(),
    region: z.string().min(1, 'region is empty').default('us-east-1'),
    /** Whether the bucket stands in the path of an address; other stores than AWS want it so. */
    pathStyle: z.enum(['true', 'false'], { error: 'pathStyle must be true or false' }).optional(),
    accessKeyId: z.string().min(1, 'accessKeyId is empty').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `a Delta catalog has no setting ${(issue.keys as string[]).join(', ')}`
        : undefined,
  },
);

export interface BucketSettings {
  readonly root: Place;
  readonly endpoint?: string;
  readonly region: string;
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
}

export type DeltaSettings =
  | { readonly store: 'disk'; readonly root: Place }
  | ({ readonly store: 's3' } & BucketSettings);

/** The settings, or one failure that names everything wrong with them. */
export function readSettings(given: Readonly<Record<string, string>>): DeltaSettings {
  const read = Settings.safeParse(given);
  if (!read.success) throw invalid(read.error.issues.map((issue) => issue.message).join('; '));
  const { endpoint, region, pathStyle, accessKeyId } = read.data;
  const root = readRoot(read.data.root);
  if (typeof root === 'string') throw invalid(`root must be s3://bucket, s3://bucket/prefix or a folder (${root})`);
  if (root.store === 'disk') {
    const useless = Object.keys(given).filter((name) => name !== 'root');
    if (useless.length > 0) throw invalid(`a root on disk has no use for ${useless.join(', ')}`);
    if (root.folders.length === 0) throw invalid('root cannot be the whole disk: what is on it is never empty');
    return { store: 'disk', root };
  }
  if (accessKeyId === undefined) throw invalid('accessKeyId is missing');
  const addressed = endpoint === undefined ? {} : { endpoint };
  const inPath = pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true';
  return { store: 's3', root, ...addressed, region, pathStyle: inPath, accessKeyId };
}

function invalid(message: string): ReconcilerFailure {
  return new ReconcilerFailure('InvalidRequest', 'delta-settings', message);
}

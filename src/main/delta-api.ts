import type { ApiDeps } from '../api/deps.ts';
import type { BucketConfig } from '../config/config.ts';
import { deltaHandler } from '../delta/handler.ts';
import { normalizeLocation } from '../delta/rules/location.ts';
import { LakeBackend } from '../registries/embedded/lake/lake-backend.ts';
import { UnityDesk } from '../registries/embedded/lake/unity-desk.ts';
import type { Bucket } from '../registries/embedded/storage/bucket.ts';
import { storageAccess } from '../registries/embedded/storage/storage.ts';
import type { Services } from './services.ts';

/** The Unity Catalog API over the metalake that is configured for it; nothing where none is. */
export function deltaApi({
  config,
  registryDb: db,
  activityDeps,
}: Pick<Services, 'config' | 'registryDb' | 'activityDeps'>): Pick<ApiDeps, 'delta' | 'unity'> {
  const { metalake, storageRoot, buckets } = config.delta;
  if (metalake === undefined) return {};
  const storage = storageAccess(buckets.map(bucketOf));
  const place = {
    db,
    metalake,
    now: activityDeps.clock,
    ...(storageRoot === undefined ? {} : { storageRoot: normalizeLocation(storageRoot) }),
  };
  const authorization = config.auth.hasCredentials;
  return {
    delta: deltaHandler(new LakeBackend({ ...place, storage, authorization })),
    unity: { desk: new UnityDesk(place), vend: (location, access) => storage.vend(location, access) },
  };
}

function bucketOf({ keys, ...rest }: BucketConfig): Bucket {
  if (keys === undefined) return rest;
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  return {
    ...rest,
    keys: {
      accessKeyId: accessKeyId.reveal(),
      secretAccessKey: secretAccessKey.reveal(),
      ...(sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() }),
    },
  };
}

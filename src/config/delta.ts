import { pathToFileURL } from 'node:url';
import { isAbsolute, resolve } from 'node:path';
import type { BucketConfig, DeltaConfig } from './config.ts';
import { resolveSecret } from './databases.ts';
import { deltaSettings } from './delta-settings.ts';
import type { Report } from './problem.ts';
import type { SecretSource } from './secret-source.ts';
import type { Given } from './setting.ts';
import { isWebAddress } from './web-address.ts';

type DeltaGiven = Given<typeof deltaSettings>;
type BucketGiven = DeltaGiven['buckets'] extends ReadonlyMap<string, infer B> | undefined ? B : never;

const fallbacks = deltaSettings.keys.buckets.each.keys;

/** What the Unity Catalog API serves and hands out, references followed. What is wrong is reported, and left out. */
export function resolveDelta(
  given: DeltaGiven,
  metalakes: readonly string[],
  source: SecretSource,
  report: Report,
): DeltaConfig {
  const { metalake = metalakes.length === 1 ? metalakes[0] : undefined, storageRoot } = given;
  if (given.metalake !== undefined && !metalakes.includes(given.metalake)) {
    report(['delta', 'metalake'], 'names no metalake of this file. Add it under metalakes, or name one that is there');
  }
  const root = storageRoot === undefined ? undefined : locationOf(storageRoot, source.cwd);
  if (storageRoot !== undefined && root === undefined) {
    report(['delta', 'storageRoot'], `is not accepted. Write ${deltaSettings.keys.storageRoot.expects}`);
  }
  const buckets = [...(given.buckets ?? [])].flatMap(([name, bucket]) => {
    const resolved = resolveBucket(name, bucket, source, report);
    return resolved === undefined ? [] : [resolved];
  });
  return {
    ...(metalake === undefined ? {} : { metalake }),
    ...(root === undefined ? {} : { storageRoot: root }),
    buckets,
  };
}

function resolveBucket(
  name: string,
  given: BucketGiven,
  source: SecretSource,
  report: Report,
): BucketConfig | undefined {
  const key = ['delta', 'buckets', name];
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) report(key, 'is no name of a bucket');
  for (const part of ['endpoint', 'stsEndpoint'] as const) {
    const address = given[part];
    if (address !== undefined && !isWebAddress(address)) {
      report([...key, part], `is not accepted. Write ${fallbacks[part].expects}`);
    }
  }
  const secret = (part: 'accessKeyId' | 'secretAccessKey' | 'sessionToken') =>
    resolveSecret(given[part], [...key, part], source, report);
  const accessKeyId = secret('accessKeyId');
  const secretAccessKey = secret('secretAccessKey');
  const sessionToken = secret('sessionToken');
  const { region = fallbacks.region.fallback, roleArn, externalId, sessionSecs, endpoint, stsEndpoint } = given;
  if ((given.accessKeyId === undefined) !== (given.secretAccessKey === undefined)) {
    const lacking = given.accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey';
    report(key, `lacks ${lacking}. Write both of accessKeyId and secretAccessKey, or neither`);
    return undefined;
  }
  if (given.accessKeyId === undefined && roleArn === undefined) {
    report(key, 'says nothing of credentials. Write accessKeyId and secretAccessKey, or roleArn');
    return undefined;
  }
  if (roleArn === undefined && externalId !== undefined) {
    report([...key, 'externalId'], 'is of no use without roleArn. Write both, or neither');
  }
  const keys =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  return {
    name,
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(keys === undefined ? {} : { keys }),
    ...(roleArn === undefined
      ? {}
      : {
          role: {
            arn: roleArn,
            ...(externalId === undefined ? {} : { externalId }),
            sessionSecs: sessionSecs ?? fallbacks.sessionSecs.fallback,
            ...(stsEndpoint === undefined ? {} : { stsEndpoint }),
          },
        }),
  };
}

/** A path becomes an address, so that a location looks the same wherever it is read. */
function locationOf(text: string, cwd: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\//i.test(text)) return /^(s3|file|gs|abfss?):\//.test(text) ? text : undefined;
  return pathToFileURL(isAbsolute(text) ? text : resolve(cwd, text)).href;
}

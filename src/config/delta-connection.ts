import type { CatalogConfig } from './config.ts';
import { resolveSecret } from './databases.ts';
import type { Report } from './problem.ts';
import type { CatalogGiven } from './catalogs.ts';
import type { SecretSource } from './secret-source.ts';
import { isWebAddress } from './web-address.ts';

/** What belongs to a bucket and means nothing for a folder. */
const ofBuckets = ['endpoint', 'region', 'pathStyle', 'accessKeyId'] as const;

/** Where the tables of a Delta catalog lie, and with which key they are looked at. What is wrong is reported. */
export function deltaConnectionOf(
  given: CatalogGiven,
  key: readonly string[],
  source: SecretSource,
  report: Report,
): Pick<CatalogConfig, 'settings' | 'secrets'> | undefined {
  const { connection = {} } = given;
  const { root, ...rest } = connection;
  const at = [...key, 'connection'];
  const secretAccessKey = resolveSecret(given.secretAccessKey, [...key, 'secretAccessKey'], source, report);
  const sessionToken = resolveSecret(given.sessionToken, [...key, 'sessionToken'], source, report);
  if (root === undefined) {
    report(at, 'lacks root. Write the folder, or s3://bucket, under which the tables lie');
    return undefined;
  }
  const isBucket = /^s3[an]?:\/\/[^/]/i.test(root);
  if (!isBucket && !/^(file:(\/\/)?)?\/[^/]/i.test(root)) {
    report([...at, 'root'], 'is not accepted. Write s3://bucket, s3://bucket/prefix or the full path of a folder');
  }
  const misplaced = Object.keys(rest).filter((name) => !isBucket || !(ofBuckets as readonly string[]).includes(name));
  for (const name of misplaced)
    report([...at, name], `is of no use for a Delta catalog with root ${root}. Take it out`);
  for (const name of ['password', ...(isBucket ? [] : (['secretAccessKey', 'sessionToken'] as const))] as const) {
    if (given[name] !== undefined)
      report([...key, name], `is of no use for a Delta catalog with root ${root}. Take it out`);
  }
  if (isBucket && (rest.accessKeyId === undefined || given.secretAccessKey === undefined)) {
    report(at, 'lacks a key. Write accessKeyId here, and secretAccessKey: {env: NAME} beside connection');
  }
  if (rest.endpoint !== undefined && !isWebAddress(rest.endpoint)) {
    report([...at, 'endpoint'], 'is not accepted. Write an address with https: or http:');
  }
  const { endpoint, region, pathStyle, accessKeyId } = rest;
  const written = { root, endpoint, region, pathStyle, accessKeyId };
  const settings = Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return {
    settings,
    secrets: {
      ...(secretAccessKey === undefined ? {} : { secretAccessKey }),
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
  };
}

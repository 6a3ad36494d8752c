import { invalid } from '../wire/fields.ts';
import { type Domain, checkDomainFeatures } from './domain-metadata.ts';
import { type Protocol, checkReaderFeaturesAreWriterFeatures } from './protocol.ts';

const readerWriterFeatures = ['catalogManaged', 'v2Checkpoint', 'vacuumProtocolCheck', 'deletionVectors'];
const writerFeatures = [...readerWriterFeatures, 'inCommitTimestamp'];

/** What every managed table must have, and where its versions start. */
export const requiredProtocol: Protocol = {
  minReaderVersion: 3,
  minWriterVersion: 7,
  readerFeatures: readerWriterFeatures,
  writerFeatures,
};

export const suggestedFeatures = {
  reader: ['columnMapping'],
  writer: ['columnMapping', 'domainMetadata', 'rowTracking'],
} as const;

export const tableIdKey = 'io.unitycatalog.tableId';

export const fixedProperties: ReadonlyMap<string, string> = new Map([
  ['delta.enableDeletionVectors', 'true'],
  ['delta.checkpointPolicy', 'v2'],
  ['delta.enableInCommitTimestamps', 'true'],
  ['delta.checkpoint.writeStatsAsStruct', 'true'],
  ['delta.checkpoint.writeStatsAsJson', 'true'],
]);

/** `null`: the client chooses the value. */
export const suggestedProperties: Readonly<Record<string, string | null>> = {
  'delta.columnMapping.mode': 'name',
  'delta.enableRowTracking': 'true',
  'delta.randomizeFilePrefixes': 'true',
  'delta.parquet.compression.codec': 'zstd',
  'delta.columnMapping.maxColumnId': null,
  'delta.rowTracking.materializedRowIdColumnName': null,
  'delta.rowTracking.materializedRowCommitVersionColumnName': null,
};

/** The contract of a managed table; the first failure is told. */
export function checkManagedContract(
  protocol: Protocol,
  domains: readonly Domain[],
  properties: ReadonlyMap<string, string>,
): void {
  checkReaderFeaturesAreWriterFeatures(protocol);
  checkVersion('reader', protocol.minReaderVersion, requiredProtocol.minReaderVersion);
  checkVersion('writer', protocol.minWriterVersion, requiredProtocol.minWriterVersion);
  checkFeatures('reader', protocol.readerFeatures, requiredProtocol.readerFeatures);
  checkFeatures('writer', protocol.writerFeatures, requiredProtocol.writerFeatures);
  checkDomainFeatures(domains, (feature) => protocol.writerFeatures.includes(feature));
  checkFixedProperties(properties);
  const tableId = properties.get(tableIdKey);
  if (tableId === undefined || tableId.trim() === '') throw invalid(`Property '${tableIdKey}' is required.`);
}

export function checkFixedProperties(properties: ReadonlyMap<string, string>): void {
  for (const [key, value] of fixedProperties) {
    const actual = properties.get(key);
    if (actual === value) continue;
    const got = actual === undefined ? 'it is missing' : `got ${JSON.stringify(actual)}`;
    throw invalid(`Property '${key}' of a MANAGED table must be '${value}', ${got}.`);
  }
}

/** The id in the properties is the table's own, letter by letter. */
export function checkTableIdProperty(properties: ReadonlyMap<string, string>, tableId: string): void {
  if (properties.get(tableIdKey) === tableId) return;
  throw invalid(`Property '${tableIdKey}' must be the id of the table, '${tableId}'.`);
}

function checkVersion(side: 'reader' | 'writer', actual: number, least: number): void {
  if (actual < least) throw invalid(`min-${side}-version of a MANAGED table must be at least ${least}, got ${actual}.`);
}

function checkFeatures(side: 'reader' | 'writer', actual: readonly string[], needed: readonly string[]): void {
  const missing = needed.find((feature) => !actual.includes(feature));
  if (missing !== undefined) throw invalid(`MANAGED table is missing required ${side}-feature '${missing}'.`);
}

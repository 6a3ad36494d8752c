import { Fields, invalid, required } from '../wire/fields.ts';
import type { Json } from '../wire/json.ts';

export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
  readonly readerFeatures: readonly string[];
  readonly writerFeatures: readonly string[];
}

const featurePrefix = 'delta.feature.';

export function readProtocol(value: Json, path: string): Protocol {
  const fields = new Fields(value, path, [
    'min-reader-version',
    'min-writer-version',
    'reader-features',
    'writer-features',
  ]);
  return {
    minReaderVersion: required(fields.int32('min-reader-version'), fields.at('min-reader-version')),
    minWriterVersion: required(fields.int32('min-writer-version'), fields.at('min-writer-version')),
    readerFeatures: fields.texts('reader-features') ?? [],
    writerFeatures: fields.texts('writer-features') ?? [],
  };
}

/** The protocol as properties say it; they always win over what a client sent under these keys. */
export function protocolProperties(protocol: Protocol): ReadonlyMap<string, string> {
  return new Map([
    ['delta.minReaderVersion', String(protocol.minReaderVersion)],
    ['delta.minWriterVersion', String(protocol.minWriterVersion)],
    ...[...protocol.readerFeatures, ...protocol.writerFeatures].map(
      (feature) => [featurePrefix + feature, 'supported'] as const,
    ),
  ]);
}

/** The properties under another protocol: features of the one before go, other properties stay. */
export function withProtocol(properties: ReadonlyMap<string, string>, protocol: Protocol): Map<string, string> {
  const others = [...properties].filter(([key]) => !key.startsWith(featurePrefix));
  return new Map([...others, ...protocolProperties(protocol)]);
}

export function hasFeature(properties: ReadonlyMap<string, string>, feature: string): boolean {
  return properties.has(featurePrefix + feature);
}

/** Every feature of readers is one of writers as well, or no writer would keep it. */
export function checkReaderFeaturesAreWriterFeatures({ readerFeatures, writerFeatures }: Protocol): void {
  const alone = readerFeatures.find((feature) => !writerFeatures.includes(feature));
  if (alone !== undefined) throw invalid(`Protocol is missing writer-feature '${alone}', which is a reader-feature.`);
}

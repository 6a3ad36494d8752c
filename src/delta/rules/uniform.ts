import { DeltaError } from '../delta-error.ts';
import type { Uniform } from '../table.ts';
import { Fields, invalid, required } from '../wire/fields.ts';
import type { Json, JsonObject } from '../wire/json.ts';
import { isBelow, normalizeLocation } from './location.ts';

const formatsKey = 'delta.universalFormat.enabledFormats';

export function readUniform(value: Json, path: string): Uniform {
  const fields = new Fields(value, path, ['iceberg']);
  const iceberg = new Fields(required(fields.any('iceberg'), fields.at('iceberg')), fields.at('iceberg'), [
    'metadata-location',
    'converted-delta-version',
    'converted-delta-timestamp',
    'base-converted-delta-version',
  ]);
  const base = iceberg.int64('base-converted-delta-version');
  return {
    metadataLocation: required(iceberg.text('metadata-location'), iceberg.at('metadata-location')),
    convertedDeltaVersion: required(iceberg.int64('converted-delta-version'), iceberg.at('converted-delta-version')),
    convertedDeltaTimestamp: required(
      iceberg.int64('converted-delta-timestamp'),
      iceberg.at('converted-delta-timestamp'),
    ),
    ...(base === undefined ? {} : { baseConvertedDeltaVersion: base }),
  };
}

export function uniformJson(uniform: Uniform): JsonObject {
  const base = uniform.baseConvertedDeltaVersion;
  return {
    iceberg: {
      'metadata-location': uniform.metadataLocation,
      'converted-delta-version': uniform.convertedDeltaVersion,
      'converted-delta-timestamp': uniform.convertedDeltaTimestamp,
      ...(base === undefined ? {} : { 'base-converted-delta-version': base }),
    },
  };
}

/** The block of a table that is created. */
export function checkUniformAtCreate(
  uniform: Uniform | undefined,
  properties: ReadonlyMap<string, string>,
  tableLocation: () => string,
): void {
  checkAgreement(uniform, properties);
  if (uniform === undefined) return;
  if (uniform.baseConvertedDeltaVersion !== undefined) {
    throw invalid('uniform.iceberg.base-converted-delta-version is not allowed when a table is created.');
  }
  if (uniform.convertedDeltaVersion !== 0n && uniform.convertedDeltaVersion !== 1n) {
    throw invalid(`uniform.iceberg.converted-delta-version must be 0 or 1, got ${uniform.convertedDeltaVersion}.`);
  }
  checkMetadataLocation(uniform, tableLocation());
}

/** The block that came with a commit. `stored` is what the table has of earlier ones. */
export function checkUniformAtCommit(
  uniform: Uniform | undefined,
  properties: ReadonlyMap<string, string>,
  table: { readonly location: string; readonly uniform?: Uniform; readonly version: bigint },
): void {
  checkAgreement(uniform, properties);
  if (uniform === undefined) return;
  if (uniform.convertedDeltaVersion !== table.version) {
    throw invalid(
      `uniform.iceberg.converted-delta-version must be the commit's version ${table.version}, got ${uniform.convertedDeltaVersion}.`,
    );
  }
  checkMetadataLocation(uniform, table.location);
  const base = uniform.baseConvertedDeltaVersion;
  if (base !== undefined && base !== table.uniform?.convertedDeltaVersion) {
    const stored = table.uniform?.convertedDeltaVersion ?? 'none';
    throw new DeltaError(
      'UpdateRequirementConflict',
      `base-converted-delta-version is ${base}, but the table's converted version is ${stored}.`,
    );
  }
}

/** Block and property go together. */
function checkAgreement(uniform: Uniform | undefined, properties: ReadonlyMap<string, string>): void {
  const enabled = (properties.get(formatsKey) ?? '').split(',').includes('iceberg');
  if (enabled === (uniform !== undefined)) return;
  throw invalid(
    enabled
      ? `Property '${formatsKey}' contains iceberg, so that uniform.iceberg is required.`
      : `uniform.iceberg is given, but property '${formatsKey}' does not contain iceberg.`,
  );
}

function checkMetadataLocation({ metadataLocation }: Uniform, tableLocation: string): void {
  if (isBelow(normalizeLocation(metadataLocation), tableLocation)) return;
  throw invalid(`uniform.iceberg.metadata-location must be a subpath of the table's location ${tableLocation}.`);
}

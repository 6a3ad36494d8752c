const versionKey = 'delta.lastUpdateVersion';
const timestampKey = 'delta.lastCommitTimestamp';
const max = 2n ** 63n - 1n;

/** The properties with the version and time of the last change of metadata. */
export function withLastUpdate(
  properties: ReadonlyMap<string, string>,
  { version, timestamp }: { readonly version: bigint; readonly timestamp: bigint },
): Map<string, string> {
  return new Map(properties).set(versionKey, String(version)).set(timestampKey, String(timestamp));
}

/** What the properties say; whatever a client wrote over them and is no int64 is left out. */
export function lastUpdateOf(properties: ReadonlyMap<string, string>): {
  readonly version?: bigint;
  readonly timestamp?: bigint;
} {
  const version = int64(properties.get(versionKey));
  const timestamp = int64(properties.get(timestampKey));
  return { ...(version === undefined ? {} : { version }), ...(timestamp === undefined ? {} : { timestamp }) };
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= -max - 1n && value <= max ? value : undefined;
}

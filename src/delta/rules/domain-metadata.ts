import { Fields, invalid, required } from '../wire/fields.ts';
import { type Json, jsonText } from '../wire/json.ts';
import { hasFeature } from './protocol.ts';

/** The domains that there are, by the writer feature that each needs. */
const features = { 'delta.clustering': 'clustering', 'delta.rowTracking': 'rowTracking' } as const;
export type Domain = keyof typeof features;
const domains: readonly Domain[] = ['delta.clustering', 'delta.rowTracking'];

export interface DomainMetadata {
  readonly clusteringColumns?: readonly (readonly string[])[];
  readonly rowIdHighWaterMark?: bigint;
}

/** The key without prefix is what clients read; the other is accepted from tables that have it. */
const clusteringKey = 'clusteringColumns';
const keysOf: Readonly<Record<Domain, readonly string[]>> = {
  'delta.clustering': [clusteringKey, 'delta.clusteringColumns'],
  'delta.rowTracking': ['delta.rowTracking.rowIdHighWaterMark'],
};

export function readDomainMetadata(value: Json, path: string): DomainMetadata {
  const fields = new Fields(value, path, domains);
  const clusteringColumns = fields.nested('delta.clustering', (inner, at) => {
    const clustering = new Fields(inner, at, ['clusteringColumns']);
    return required(clustering.list('clusteringColumns', readPath), clustering.at('clusteringColumns'));
  });
  const rowIdHighWaterMark = fields.nested('delta.rowTracking', (inner, at) => {
    const tracking = new Fields(inner, at, ['rowIdHighWaterMark']);
    return required(tracking.int64('rowIdHighWaterMark'), tracking.at('rowIdHighWaterMark'));
  });
  return {
    ...(clusteringColumns === undefined ? {} : { clusteringColumns }),
    ...(rowIdHighWaterMark === undefined ? {} : { rowIdHighWaterMark }),
  };
}

export function domainsOf({ clusteringColumns, rowIdHighWaterMark }: DomainMetadata): readonly Domain[] {
  return [
    ...(clusteringColumns === undefined ? [] : (['delta.clustering'] as const)),
    ...(rowIdHighWaterMark === undefined ? [] : (['delta.rowTracking'] as const)),
  ];
}

export function knownDomain(name: string): Domain {
  const domain = domains.find((known) => known === name);
  if (domain === undefined) throw invalid(`Unknown domain in remove-domain-metadata: ${name}`);
  return domain;
}

/** The properties with this domain metadata in them, in place of what they had of these domains. */
export function withDomainMetadata(
  properties: ReadonlyMap<string, string>,
  metadata: DomainMetadata,
): Map<string, string> {
  const { clusteringColumns, rowIdHighWaterMark } = metadata;
  const changed = withoutDomains(properties, domainsOf(metadata));
  if (clusteringColumns !== undefined) changed.set(clusteringKey, jsonText(clusteringColumns));
  if (rowIdHighWaterMark !== undefined) changed.set('delta.rowTracking.rowIdHighWaterMark', String(rowIdHighWaterMark));
  return changed;
}

export function withoutDomains(properties: ReadonlyMap<string, string>, gone: readonly Domain[]): Map<string, string> {
  const keys = new Set(gone.flatMap((domain) => keysOf[domain]));
  return new Map([...properties].filter(([key]) => !keys.has(key)));
}

/** The domains that these properties carry. */
export function domainsIn(properties: ReadonlyMap<string, string>): readonly Domain[] {
  return domains.filter((domain) => keysOf[domain].some((key) => properties.has(key)));
}

/** Each domain is backed by its writer feature; `supports` says which there are. */
export function checkDomainFeatures(present: readonly Domain[], supports: (feature: string) => boolean): void {
  for (const domain of present) {
    if (supports(features[domain])) continue;
    throw invalid(`Domain metadata '${domain}' is missing required writer-feature '${features[domain]}'.`);
  }
}

export function checkDomainsOfProperties(properties: ReadonlyMap<string, string>): void {
  checkDomainFeatures(domainsIn(properties), (feature) => hasFeature(properties, feature));
}

function readPath(value: Json, path: string): readonly string[] {
  if (!Array.isArray(value)) throw invalid(`${path} must be an array of names.`);
  return (value as readonly Json[]).map((name) => {
    if (typeof name !== 'string') throw invalid(`${path} must be an array of names.`);
    return name;
  });
}
